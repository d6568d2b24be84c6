import gestaoCss from '../styles/gestao.screen.css'
import { adopt } from './adopt.ts'

/** Style sheet of the screens of integrations, account and system; imported by each of them. */
adopt(gestaoCss)
