import contaCss from '../../styles/conta.screen.css'
import { adopt } from '../../ui/adopt.ts'
import '../../ui/gestao.ts'

adopt(contaCss)
