import { verifyEmail } from '../../domain/contas/email.ts'
import { disableMfa, enableMfa, renewBackupCodes, verifyMfa } from '../../domain/mfa/mfa.ts'
import {
  PASSWORD_STRENGTHS,
  recommendationsOf,
  scoreOf,
  securityFacts,
  suspiciousActivities,
} from '../../domain/seguranca/seguranca.ts'
import { changeSenha, RESET_TOKEN_SECONDS, requestReset, resetSenha } from '../../domain/senhas/senhas.ts'
import { openConsole } from '../../domain/sessoes/console.ts'
import { login } from '../../domain/sessoes/login.ts'
import { refresh } from '../../domain/sessoes/refresh.ts'
import { listSessoesOf, logout, revokeSessao } from '../../domain/sessoes/sessoes.ts'
import { undoDisowned } from '../../domain/usuarios/nao-fui-eu.ts'
import { getPerfil, type PerfilInclude } from '../../domain/usuarios/perfil.ts'
import { AppError } from '../../errors/catalogue.ts'
import { anyone, loggedIn } from '../../http/access.ts'
import { clearCookie, cookieOf, sendCookie } from '../../http/console-cookie.ts'
import { originOf } from '../../http/origin.ts'
import { NoContent } from '../../http/route.ts'
import { Text } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { Message } from '../message.shapes.ts'
import { route } from '../route.ts'
import { toSessao } from '../sessao.shapes.ts'
import { LOGIN_ERRORS, TokenResponse, toLoginInput, toTokenResponse } from '../token.shapes.ts'
import {
  BackupCodes,
  ChangePassword,
  ForgotPassword,
  fromLoginB,
  ListaDeSessoes,
  LoginB,
  Logout,
  MfaDisable,
  MfaEnabled,
  MfaVerified,
  MfaVerify,
  PasswordChanged,
  Refresh,
  ResetAsked,
  ResetPassword,
  SairDoConsole,
  SecurityMetrics,
  UndoDisowned,
  VerifyEmail,
} from './auth.shapes.ts'
import { PerfilB, toPerfil } from './usuarios.shapes.ts'

const tag = 'Autenticação'
/** Parts of the profile by which the console chooses its menu. */
export const IN_CONSOLE = new Set<PerfilInclude>(['grupos', 'permissoes'])

export const authRoutesB = [
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/login',
    summary: 'Entrar com e-mail e senha',
    tag,
    access: anyone,
    input: { body: LoginB },
    replies: { 200: TokenResponse },
    errors: LOGIN_ERRORS,
    async handle({ body, request }, app) {
      return toTokenResponse(await login(app, toLoginInput(request, fromLoginB(body)), originOf(request)))
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/refresh',
    summary: 'Trocar o refresh token por um novo par',
    tag,
    access: anyone,
    input: { body: Refresh },
    replies: { 200: TokenResponse },
    errors: ['INVALID_REFRESH_TOKEN'],
    async handle({ body, request }, app) {
      return toTokenResponse(await refresh(app, body.refresh_token, originOf(request)))
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/logout',
    summary: 'Encerrar a sessão',
    tag,
    access: loggedIn,
    personOnly: true,
    whilePasswordMustChange: true,
    whileMfaIsMissing: true,
    input: { body: Logout },
    bodyOptional: true,
    replies: { 200: Message },
    errors: ['INVALID_REFRESH_TOKEN'],
    async handle({ body, caller, reply }, app) {
      const { refresh_token = null, everywhere = false } = body ?? {}
      await logout(app, caller, { refresh_token, everywhere })
      if (caller.cookie && (everywhere || refresh_token === null)) clearCookie(reply, caller.cookie)
      return { message: everywhere ? 'Todas as sessões foram encerradas' : 'Sessão encerrada' }
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/sessao',
    summary: 'Entrar no console: um cookie em vez de tokens',
    tag,
    access: anyone,
    consoleOnly: true,
    input: { body: LoginB },
    replies: { 200: PerfilB },
    errors: LOGIN_ERRORS,
    async handle({ body, request, reply }, app) {
      const input = toLoginInput(request, fromLoginB(body))
      const caller = await openConsole(app, input, originOf(request), cookieOf(request))
      sendCookie(reply, caller.cookie)
      return toPerfil(app, await getPerfil(app, caller, IN_CONSOLE), caller, IN_CONSOLE)
    },
  }),
  route({
    spec: '4.3',
    method: 'DELETE',
    path: '/api/v1/auth/sessao',
    summary: 'Sair do console',
    tag,
    access: loggedIn,
    personOnly: true,
    whilePasswordMustChange: true,
    whileMfaIsMissing: true,
    input: { query: SairDoConsole },
    replies: { 204: NoContent },
    errors: ['VALIDATION_ERROR'],
    async handle({ query, caller, reply }, app) {
      // With a token there is no session of the console.
      if (caller.cookie === undefined) throw new AppError('UNAUTHORIZED')
      if (query.inatividade && caller.cookie.lembrar) {
        reply.code(204)
        return
      }
      await logout(app, caller, { refresh_token: null, everywhere: false })
      clearCookie(reply, caller.cookie)
      reply.code(204).header('clear-site-data', '"storage"')
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/forgot-password',
    summary: 'Pedir um link para redefinir a senha',
    tag,
    access: anyone,
    input: { body: ForgotPassword },
    replies: { 200: ResetAsked },
    errors: [],
    async handle({ body }, app) {
      await requestReset(app, body.email)
      const message = 'Se o e-mail estiver cadastrado, você receberá as instruções'
      return { message, expires_in: RESET_TOKEN_SECONDS }
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/reset-password',
    summary: 'Definir a nova senha com o token recebido por e-mail',
    tag,
    access: anyone,
    input: { body: ResetPassword },
    replies: { 200: Message },
    errors: ['INVALID_RESET_TOKEN', 'WEAK_PASSWORD'],
    async handle({ body, request }, app) {
      await resetSenha(app, body, originOf(request))
      return { message: 'Senha redefinida; entre com a nova senha' }
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/verificar-email',
    summary: 'Confirmar um endereço com o token recebido por e-mail',
    tag,
    access: anyone,
    input: { body: VerifyEmail },
    replies: { 200: Message },
    errors: ['INVALID_VERIFICATION_TOKEN'],
    async handle({ body, request }, app) {
      await verifyEmail(app, body.token, originOf(request))
      return { message: 'E-mail verificado' }
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/nao-fui-eu',
    summary: 'Desfazer a troca de e-mail ou o segundo fator com o token do aviso e encerrar todas as sessões',
    tag,
    access: anyone,
    input: { body: UndoDisowned },
    replies: { 200: Message },
    errors: ['INVALID_UNDO_TOKEN'],
    async handle({ body, request }, app) {
      await undoDisowned(app, body.token, originOf(request))
      return { message: 'Desfeito; escolha uma nova senha com o link enviado por e-mail' }
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/change-password',
    summary: 'Trocar a própria senha',
    tag,
    access: loggedIn,
    personOnly: true,
    whilePasswordMustChange: true,
    whileMfaIsMissing: true,
    input: { body: ChangePassword },
    replies: { 200: PasswordChanged },
    errors: ['WEAK_PASSWORD', 'INVALID_CURRENT_PASSWORD', 'ACCOUNT_LOCKED'],
    async handle({ body, caller }, app) {
      const sessions_invalidated = await changeSenha(app, caller, body)
      return { message: 'Senha alterada', sessions_invalidated }
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/mfa/enable',
    summary: 'Preparar o segundo fator',
    tag,
    access: loggedIn,
    personOnly: true,
    whileMfaIsMissing: true,
    input: {},
    replies: { 200: MfaEnabled },
    errors: ['CONFLICT'],
    async handle({ caller }, app) {
      const { qr_code, secret, backup_codes } = await enableMfa(app, caller)
      const instructions =
        'Leia o QR code no aplicativo autenticador, guarde os códigos de reserva e confirme um código em /auth/mfa/verify'
      return { qr_code, secret, backup_codes, instructions }
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/mfa/verify',
    summary: 'Ativar o segundo fator com o primeiro código',
    tag,
    access: loggedIn,
    personOnly: true,
    whileMfaIsMissing: true,
    input: { body: MfaVerify },
    replies: { 200: MfaVerified },
    errors: ['CONFLICT'],
    async handle({ body, caller }, app) {
      await verifyMfa(app, caller, body.code)
      return { message: 'Segundo fator ativado', mfa_enabled: true }
    },
  }),
  route({
    spec: '4.3',
    method: 'POST',
    path: '/api/v1/auth/mfa/disable',
    summary: 'Desativar o segundo fator',
    tag,
    access: loggedIn,
    personOnly: true,
    input: { body: MfaDisable },
    replies: { 200: Message },
    errors: ['INVALID_CURRENT_PASSWORD', 'ACCOUNT_LOCKED', 'CONFLICT'],
    async handle({ body, caller }, app) {
      await disableMfa(app, caller, body)
      return { message: 'Segundo fator desativado' }
    },
  }),
  route({
    spec: '4.17',
    method: 'POST',
    path: '/api/v1/auth/mfa/codigos',
    summary: 'Trocar os códigos de reserva',
    tag,
    access: loggedIn,
    personOnly: true,
    input: { body: MfaDisable },
    replies: { 200: BackupCodes },
    errors: ['INVALID_CURRENT_PASSWORD', 'ACCOUNT_LOCKED', 'CONFLICT'],
    async handle({ body, caller }, app) {
      return { backup_codes: await renewBackupCodes(app, caller, body) }
    },
  }),
  route({
    spec: '4.3',
    method: 'GET',
    path: '/api/v1/auth/sessions',
    summary: 'Minhas sessões',
    tag,
    access: loggedIn,
    personOnly: true,
    input: {},
    replies: { 200: ListaDeSessoes },
    errors: [],
    async handle({ caller }, app) {
      const sessoes = await listSessoesOf(app, caller.id)
      return { total: sessoes.length, items: sessoes.map((sessao) => toSessao(sessao, caller.sessao_id)) }
    },
  }),
  route({
    spec: '4.3',
    method: 'DELETE',
    path: '/api/v1/auth/sessions/{session_id}',
    summary: 'Encerrar uma das minhas sessões',
    tag,
    access: loggedIn,
    personOnly: true,
    input: { params: Type.Object({ session_id: Text({ minLength: 1, maxLength: 64 }) }) },
    replies: { 204: NoContent },
    errors: ['SESSION_NOT_FOUND'],
    async handle({ params, caller, reply }, app) {
      await revokeSessao(app, caller, params.session_id)
      reply.code(204)
    },
  }),
  route({
    spec: '4.3',
    method: 'GET',
    path: '/api/v1/auth/security-metrics',
    summary: 'A segurança da minha conta',
    tag,
    access: loggedIn,
    personOnly: true,
    input: {},
    replies: { 200: SecurityMetrics },
    errors: [],
    async handle({ caller }, app) {
      const facts = await securityFacts(app, caller)
      const { successful, failed, last_failed } = facts.logins
      return {
        login_attempts: { successful, failed, last_failed: last_failed?.toISOString() ?? null },
        password_strength: PASSWORD_STRENGTHS[facts.forca] ?? 'muito_fraca',
        password_age_days: facts.password_age_days,
        mfa_enabled: facts.mfa_enabled,
        active_sessions: facts.active_sessions,
        suspicious_activities: suspiciousActivities(facts),
        security_score: scoreOf(facts),
        recommendations: recommendationsOf(facts),
      }
    },
  }),
]
