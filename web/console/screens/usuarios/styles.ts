import css from '../../styles/pessoas.screen.css'
import { adopt } from '../../ui/adopt.ts'

adopt(css)
