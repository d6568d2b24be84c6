-- The whole life of an account: verified email, passwords, second factor, refresh rotation, guessing, mail, audit.

alter table usuarios
  add column cpf text constraint usuarios__cpf__unique unique,
  add column cargo text,
  add column departamento text,
  add column email_verificado boolean not null default false,
  -- The address that one's own change of email waits for; it counts once verified.
  add column email_pendente text,
  -- Language of mails: that of the last login.
  add column idioma text not null default 'pt-BR',
  add column ultimo_acesso timestamptz,
  add column senha_alterada_em timestamptz not null default now(),
  -- 0 (weak) to 4, judged when the password was set: later only its hash is there.
  add column senha_forca smallint not null default 0,
  -- Until it is changed, nothing else can be done.
  add column trocar_senha boolean not null default false,
  -- Encrypted under DATA_KEY; active once mfa_ativado_em is set.
  add column mfa_segredo_cifrado bytea,
  add column mfa_ativado_em timestamptz,
  -- The last time step a code was accepted for: a code works once.
  add column mfa_ultimo_passo bigint not null default 0,
  add column criado_por_id integer constraint usuarios__criado_por_id__exists references usuarios on delete set null,
  add column atualizado_por_id integer constraint usuarios__atualizado_por_id__exists references usuarios on delete set null;

-- Backup codes of the second factor: only a keyed hash, each for one use.
create table codigos_backup (
  usuario_id integer not null constraint codigos_backup__usuario_id__exists references usuarios on delete cascade,
  hash bytea not null,
  usado_em timestamptz,
  constraint codigos_backup__pk primary key (usuario_id, hash)
);

alter table sessoes
  add column lembrar boolean not null default false,
  add column ultima_atividade timestamptz not null default now();

-- A token is rotated at every use; its successor follows from it (src/domain/sessoes/refresh.ts).
alter table refresh_tokens add column rotacionado_em timestamptz;

-- Keys stop signing when a newer one is there and are dropped when the last token they signed has expired.
create index chaves_assinatura__criada_em on chaves_assinatura (criada_em desc);

-- One-time tokens sent by mail: only their SHA-256.
create table tokens_de_email (
  hash bytea constraint tokens_de_email__pk primary key,
  tipo text not null constraint tokens_de_email__tipo__known check (tipo in ('redefinir_senha', 'verificar_email')),
  usuario_id integer not null constraint tokens_de_email__usuario_id__exists references usuarios on delete cascade,
  -- The address that is verified by it.
  email text not null,
  criado_em timestamptz not null,
  expira_em timestamptz not null,
  usado_em timestamptz
);
create index tokens_de_email__usuario_id on tokens_de_email (usuario_id, tipo);

-- Guessing. An account is known here by a keyed hash of its email, so that unknown addresses lock in the same way and
-- none is stored. A source is an IPv4 address or an IPv6 /64.
create table falhas_de_login (
  conta bytea not null,
  origem text not null,
  instante timestamptz not null
);
create index falhas_de_login__conta on falhas_de_login (conta, instante);

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

-- Mails to be sent: written in the transaction that causes them, sent later, retried. Tokens are made when sending and
-- are never stored here.
create table emails_pendentes (
  id bigint generated always as identity constraint emails_pendentes__pk primary key,
  tipo text not null,
  para text not null,
  usuario_id integer constraint emails_pendentes__usuario_id__exists references usuarios on delete cascade,
  idioma text,
  criado_em timestamptz not null default now(),
  tentativas integer not null default 0,
  proxima_tentativa timestamptz not null default now()
);
create index emails_pendentes__proxima_tentativa on emails_pendentes (proxima_tentativa);

-- Append-only, each row sealed over the one before. No foreign keys: it outlives what it speaks of.
create table auditoria (
  id bigint constraint auditoria__pk primary key,
  data timestamptz not null,
  ator_id integer,
  ator_nome text,
  acao text not null,
  recurso text,
  recurso_id text,
  detalhes jsonb not null default '{}',
  endereco_ip text,
  request_id text,
  hash bytea not null
);
create index auditoria__data on auditoria (data desc, id desc);
create index auditoria__recurso on auditoria (recurso, recurso_id, id desc);
create index auditoria__ator on auditoria (ator_id, id desc);

-- The newest row of the chain. Writers queue on this row, so the order of the chain is the order of commits; a tail that
-- was cut off is missed here.
create table auditoria_fim (
  unica boolean constraint auditoria_fim__pk primary key default true constraint auditoria_fim__unica__one check (unica),
  ultimo_id bigint not null,
  ultimo_hash bytea not null
);
insert into auditoria_fim (ultimo_id, ultimo_hash) values (0, '');

create function recusar_alteracao() returns trigger language plpgsql as $$
begin
  raise exception 'a auditoria só aceita inclusões';
end $$;
create trigger auditoria_so_inclui before update or delete or truncate on auditoria
  for each statement execute function recusar_alteracao();
