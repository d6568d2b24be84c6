import ajudaCss from '../../styles/ajuda.screen.css'
import { adopt } from '../../ui/adopt.ts'

adopt(ajudaCss)
