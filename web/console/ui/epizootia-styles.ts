import css from '../styles/epizootias.screen.css'
import { adopt } from './adopt.ts'
import './gestao.ts'

adopt(css)
