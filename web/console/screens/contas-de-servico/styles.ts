import servicoCss from '../../styles/servico.screen.css'
import webhooksCss from '../../styles/webhooks.screen.css'
import { adopt } from '../../ui/adopt.ts'
import '../../ui/gestao.ts'

adopt(webhooksCss)
adopt(servicoCss)
