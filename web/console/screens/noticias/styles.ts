import noticiasCss from '../../styles/noticias.screen.css'
import { adopt } from '../../ui/adopt.ts'
import '../../ui/gestao.ts'

adopt(noticiasCss)
