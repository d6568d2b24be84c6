import auditoriaCss from '../../styles/auditoria.screen.css'
import { adopt } from '../../ui/adopt.ts'
import '../../ui/gestao.ts'

adopt(auditoriaCss)
