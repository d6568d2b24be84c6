import css from '../../styles/usuarios-numeros.screen.css'
import { adopt } from '../../ui/adopt.ts'

adopt(css)
