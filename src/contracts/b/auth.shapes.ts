import { PASSWORD_STRENGTHS } from '../../domain/seguranca/seguranca.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import { DateTime, Nullable, OneOf, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Sessao } from '../sessao.shapes.ts'
import { AnyPassword, MfaCode, RefreshToken } from '../token.shapes.ts'

const EmailText = Text({ minLength: 1, maxLength: 254 })

const synonymOf = (name: string) => ({ deprecated: true, description: `Use \`${name}\`` })

export const LoginB = Type.Object(
  {
    username: Type.Optional(EmailText),
    password: Type.Optional(AnyPassword),
    email: Type.Optional(Type.Unsafe<string>({ ...EmailText, ...synonymOf('username') })),
    senha: Type.Optional(Type.Unsafe<string>({ ...AnyPassword, ...synonymOf('password') })),
    mfa_code: Type.Optional(MfaCode),
    remember_me: Type.Optional(
      Type.Boolean({
        description: 'Refresh token de 30 dias em vez de 7; a sessão termina 90 dias depois do login',
      }),
    ),
  },
  {
    title: 'LoginB',
    description: '`username` e `password`, ou `email` e `senha`, em qualquer combinação',
    examples: [{ username: 'ana@saude.gov.br', password: 'Segredo#2026' }],
  },
)

export function fromLoginB(body: Static<typeof LoginB>) {
  const email = body.username ?? body.email
  const senha = body.password ?? body.senha
  const problems: Problem[] = []
  if (email === undefined) problems.push(problem('body', ['username'], 'REQUIRED', {}))
  if (senha === undefined) problems.push(problem('body', ['password'], 'REQUIRED', {}))
  if (email === undefined || senha === undefined) throw new AppError('VALIDATION_ERROR', { problems })
  return { email, senha, mfa_code: body.mfa_code, remember_me: body.remember_me }
}

export const Refresh = Type.Object(
  { refresh_token: RefreshToken },
  { title: 'Refresh', examples: [{ refresh_token: 'dldqwjYMsfhAix9bmfeSSD29wpP_9H8CUVvuuMFZKlM' }] },
)

export const Logout = Type.Object(
  {
    refresh_token: Type.Optional(RefreshToken),
    everywhere: Type.Optional(Type.Boolean({ description: 'Encerra todas as sessões' })),
  },
  { title: 'Logout', examples: [{}, { everywhere: true }] },
)

export const ForgotPassword = Type.Object(
  { email: Type.String({ format: 'email', maxLength: 254 }) },
  { title: 'ForgotPassword', examples: [{ email: 'ana@saude.gov.br' }] },
)
export const ResetAsked = Type.Object(
  { message: Type.String(), expires_in: Type.Integer() },
  { title: 'ResetAsked' },
)

/** Bounded here, judged by the password rules in the domain. */
const NewPassword = Text({
  maxLength: 1000,
  description: 'De 8 a 128 caracteres: maiúscula, minúscula, algarismo e especial',
})
const OneTimeToken = Text({ minLength: 1, maxLength: 200 })

export const ResetPassword = Type.Object(
  { token: OneTimeToken, senha_nova: NewPassword, confirmar_senha: NewPassword },
  {
    title: 'ResetPassword',
    examples: [{ token: 'o-token-do-link', senha_nova: 'Nova#Senha26', confirmar_senha: 'Nova#Senha26' }],
  },
)
export const VerifyEmail = Type.Object(
  { token: OneTimeToken },
  { title: 'VerifyEmail', examples: [{ token: 'o-token-do-link' }] },
)

export const UndoDisowned = Type.Object(
  { token: OneTimeToken },
  { title: 'UndoDisowned', examples: [{ token: 'o-token-do-link' }] },
)

export const ChangePassword = Type.Object(
  { senha_atual: AnyPassword, senha_nova: NewPassword, confirmar_senha: NewPassword },
  {
    title: 'ChangePassword',
    examples: [{ senha_atual: 'Segredo#2026', senha_nova: 'Nova#Senha26', confirmar_senha: 'Nova#Senha26' }],
  },
)
export const PasswordChanged = Type.Object(
  { message: Type.String(), sessions_invalidated: Type.Integer() },
  { title: 'PasswordChanged' },
)

export const SetPassword = Type.Object(
  {
    nova_senha: NewPassword,
    forcar_troca: Type.Optional(
      Type.Boolean({ description: 'Nada mais pode ser feito até a troca; padrão: false' }),
    ),
    notificar_usuario: Type.Optional(
      Type.Boolean({ description: 'Sem efeito: a pessoa é sempre avisada por e-mail' }),
    ),
  },
  {
    title: 'SetPassword',
    examples: [{ nova_senha: 'Provisoria#2026', forcar_troca: true, notificar_usuario: true }],
  },
)
export const PasswordSet = Type.Object(
  {
    message: Type.String(),
    forcar_troca: Type.Boolean(),
    email_enviado: Type.Boolean({ description: 'Sempre true: o aviso foi posto na fila de envio' }),
    sessoes_invalidadas: Type.Integer(),
  },
  { title: 'PasswordSet' },
)

export const MfaEnabled = Type.Object(
  {
    qr_code: Type.String({ description: 'Imagem PNG como data URL' }),
    secret: Type.String(),
    backup_codes: Type.Array(Type.String()),
    instructions: Type.String(),
  },
  { title: 'MfaEnabled' },
)
export const MfaVerify = Type.Object(
  { code: MfaCode },
  { title: 'MfaVerify', examples: [{ code: '123456' }] },
)
export const MfaVerified = Type.Object(
  { message: Type.String(), mfa_enabled: Type.Boolean() },
  { title: 'MfaVerified' },
)
export const BackupCodes = Type.Object({ backup_codes: Type.Array(Type.String()) }, { title: 'BackupCodes' })
export const MfaDisable = Type.Object(
  { senha: AnyPassword, code: MfaCode },
  { title: 'MfaDisable', examples: [{ senha: 'Segredo#2026', code: '123456' }] },
)

export const SairDoConsole = Type.Object(
  {
    inatividade: Type.Optional(
      Type.Boolean({ description: 'Só encerra a sessão que não é mantida (`remember_me`); padrão: false' }),
    ),
  },
  { title: 'SairDoConsole' },
)

export const ListaDeSessoes = Type.Object(
  { total: Type.Integer(), items: Type.Array(Sessao) },
  { title: 'ListaDeSessoes' },
)
export const SecurityMetrics = Type.Object(
  {
    login_attempts: Type.Object({
      successful: Type.Integer(),
      failed: Type.Integer(),
      last_failed: Nullable(DateTime),
    }),
    password_strength: OneOf(PASSWORD_STRENGTHS),
    password_age_days: Type.Integer(),
    mfa_enabled: Type.Boolean(),
    active_sessions: Type.Integer(),
    suspicious_activities: Type.Array(Type.String()),
    security_score: Type.Integer({ minimum: 0, maximum: 100 }),
    recommendations: Type.Array(Type.String()),
  },
  { title: 'SecurityMetrics' },
)
