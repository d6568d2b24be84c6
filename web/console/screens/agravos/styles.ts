import agravosCss from '../../styles/agravos.screen.css'
import { adopt } from '../../ui/adopt.ts'
import '../../ui/gestao.ts'

adopt(agravosCss)
