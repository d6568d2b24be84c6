import { Type } from 'typebox'

export const Message = Type.Object({ message: Type.String() }, { title: 'Message' })
