import { Type } from '../http/type.ts'

export const Message = Type.Object({ message: Type.String() }, { title: 'Message' })
