import { type Config, StartupError } from '../config/config.ts'
import { createAuditoria } from '../domain/auditoria/auditoria.ts'
import { createKeyedHash } from '../domain/cipher.ts'
import { generatePassword } from '../domain/senhas/rules.ts'
import { recoverSenha } from '../domain/senhas/senhas.ts'
import { createLockout } from '../domain/sessoes/lockout.ts'
import { createPasswords } from '../domain/sessoes/passwords.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand } from './command.ts'
import { findFittingKey } from './data-key.ts'
import { withDatabase } from './with-database.ts'

export const setAdminPassword = defineCommand({
  usage: `npm run vigia -- admin:password [--email <email>]

Gives an administrator a new generated password and prints it once, beside a running service or without it. Ends the
account's sessions and locks; a mail tells its owner. The second factor stays.

  --email <email>   administrator; ADMIN_EMAIL if not given`,
  options: { email: { type: 'string' } },
  run: (config, log, { options }) => replacePassword(config, log, options.email ?? config.adminEmail),
})

async function replacePassword(config: Config, log: Logger, email: string): Promise<void> {
  await withDatabase(config, log, async (db) => {
    const clock = { now: () => new Date() }
    const dataKey = await findFittingKey(config, db)
    const senha = generatePassword()
    const app = {
      db,
      clock,
      passwords: createPasswords(),
      lockout: createLockout(createKeyedHash(dataKey, 'conta')),
      auditoria: createAuditoria(createKeyedHash(dataKey, 'auditoria'), clock),
      // A running service looks for mails by itself; without one, the next start does.
      mailer: { wake: () => {} },
    }
    if (!(await recoverSenha(app, email, senha)))
      throw new StartupError(`There is no active administrator ${email}: name one with --email`)
    console.log(`Administrator: ${email}\nPassword (shown only now): ${senha}`)
  })
}
