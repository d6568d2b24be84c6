import css from '../../styles/duplicidades.screen.css'
import { adopt } from '../../ui/adopt.ts'

adopt(css)
