-- Sessions, signing keys, second factor, protection against guessing.

-- A session is one login. Ended sessions stay for the record; their tokens stop working at once. A session of the console has a
-- cookie instead of tokens (src/domain/sessoes/cookies.ts); only the SHA-256 of its value is kept.
create table sessoes (
  id uuid constraint sessoes__pk primary key,
  usuario_id integer not null constraint sessoes__usuario_id__exists references usuarios on delete cascade,
  lembrar boolean not null default false,
  criado_em timestamptz not null,
  expira_em timestamptz not null,
  ultima_atividade timestamptz not null default now(),
  encerrada_em timestamptz,
  endereco_ip inet,
  agente text,
  cookie_hash bytea constraint sessoes__cookie_hash__unique unique,
  cookie_desde timestamptz,
  -- The value before the daily renewal, for requests that were under way.
  cookie_anterior_hash bytea constraint sessoes__cookie_anterior_hash__unique unique,
  cookie_anterior_ate timestamptz,
  constraint sessoes__cookie_desde__complete check ((cookie_hash is null) = (cookie_desde is null)),
  constraint sessoes__cookie_anterior__complete check ((cookie_anterior_hash is null) = (cookie_anterior_ate is null))
);
create index sessoes__usuario_id on sessoes (usuario_id) where encerrada_em is null;

-- Only the SHA-256 of a refresh token is kept. A token is rotated at every use; its successor is derived from it
-- (src/domain/sessoes/refresh.ts).
create table refresh_tokens (
  hash bytea constraint refresh_tokens__pk primary key,
  sessao_id uuid not null constraint refresh_tokens__sessao_id__exists references sessoes on delete cascade,
  criado_em timestamptz not null,
  rotacionado_em timestamptz
);
create index refresh_tokens__sessao_id on refresh_tokens (sessao_id);

-- Ed25519 key pairs; the private half is encrypted under DATA_KEY, which is never in the database. The newest signs; older
-- ones are dropped when the last token they signed has expired.
create table chaves_assinatura (
  kid text constraint chaves_assinatura__pk primary key,
  publica jsonb not null,
  privada_cifrada bytea not null,
  criada_em timestamptz not null default now()
);
create index chaves_assinatura__criada_em on chaves_assinatura (criada_em desc);

-- Backup codes of the second factor: only a keyed hash, each for one use.
create table codigos_backup (
  usuario_id integer not null constraint codigos_backup__usuario_id__exists references usuarios on delete cascade,
  hash bytea not null,
  usado_em timestamptz,
  constraint codigos_backup__pk primary key (usuario_id, hash)
);

-- Failed logins. The account is a keyed hash of its email: unknown addresses lock in the same way and none is stored. A
-- source is an IPv4 address or an IPv6 /64. Counted by account, and by source over all accounts.
create table falhas_de_login (
  conta bytea not null,
  origem text not null,
  instante timestamptz not null
);
create index falhas_de_login__conta on falhas_de_login (conta, instante);
create index falhas_de_login__origem on falhas_de_login (origem, instante);

create table bloqueios_de_login (
  conta bytea not null,
  -- A source, or '*' for everywhere.
  origem text not null,
  bloqueado_ate timestamptz not null,
  constraint bloqueios_de_login__pk primary key (conta, origem)
);

-- Sources that logged in well: a lock from everywhere does not keep them out.
create table origens_conhecidas (
  conta bytea not null,
  origem text not null,
  ultimo_login timestamptz not null,
  constraint origens_conhecidas__pk primary key (conta, origem)
);

-- Notifications that invalidate cached rights (src/domain/sessoes/callers.ts): each change of what an account may do is
-- announced on the channel `acessos` with the account's id, or with '' when it may concern any account.
create function avisar_acesso_do_usuario() returns trigger language plpgsql as $$
begin
  -- The old row names the account that loses something.
  perform pg_notify('acessos', (to_jsonb(coalesce(old, new)) ->> tg_argv[0]));
  return null;
end $$;

create function avisar_acessos() returns trigger language plpgsql as $$
begin
  perform pg_notify('acessos', '');
  return null;
end $$;

create trigger usuarios_acesso after delete on usuarios
  for each row execute function avisar_acesso_do_usuario('id');
create trigger usuarios_acesso_alterado after update on usuarios
  for each row when (
    (old.nome, old.email, old.admin, old.desativado_em, old.plano, old.trocar_senha)
      is distinct from (new.nome, new.email, new.admin, new.desativado_em, new.plano, new.trocar_senha))
  execute function avisar_acesso_do_usuario('id');
create trigger sessoes_acesso after delete on sessoes
  for each row execute function avisar_acesso_do_usuario('usuario_id');
create trigger sessoes_acesso_encerrado after update on sessoes
  for each row when (
    (old.usuario_id, old.encerrada_em, old.cookie_hash)
      is distinct from (new.usuario_id, new.encerrada_em, new.cookie_hash)
    or new.expira_em < old.expira_em)
  execute function avisar_acesso_do_usuario('usuario_id');
create trigger usuarios_grupos_acesso after insert or update or delete on usuarios_grupos
  for each row execute function avisar_acesso_do_usuario('usuario_id');
create trigger usuarios_permissoes_acesso after insert or update or delete on usuarios_permissoes
  for each row execute function avisar_acesso_do_usuario('usuario_id');

create trigger grupos_acessos after update or delete on grupos
  for each statement execute function avisar_acessos();
create trigger grupos_permissoes_acessos after insert or update or delete on grupos_permissoes
  for each statement execute function avisar_acessos();
create trigger permissoes_acessos after update or delete on permissoes
  for each statement execute function avisar_acessos();
