import { PERMISSIONS, type Permission } from '../../../../src/caller/permissions.ts'

/** Permissions in words, as the service describes them. */
export const permissoes: Record<Permission, string> = PERMISSIONS
