-- Mail: one-time tokens, replaced addresses, outgoing queue.

-- One-time tokens sent by mail: only their SHA-256.
create table tokens_de_email (
  hash bytea constraint tokens_de_email__pk primary key,
  tipo text not null constraint tokens_de_email__tipo__known
    check (tipo in ('redefinir_senha', 'verificar_email', 'desfazer_email', 'desfazer_mfa')),
  usuario_id integer not null constraint tokens_de_email__usuario_id__exists references usuarios on delete cascade,
  -- Address it was sent to.
  email text not null,
  criado_em timestamptz not null,
  expira_em timestamptz not null,
  usado_em timestamptz
);
create index tokens_de_email__usuario_id on tokens_de_email (usuario_id, tipo);

-- Addresses replaced by their owner; the link mailed to each restores it (src/domain/usuarios/nao-fui-eu.ts).
create table emails_anteriores (
  usuario_id integer not null constraint emails_anteriores__usuario_id__exists references usuarios on delete cascade,
  email text not null,
  trocado_em timestamptz not null,
  constraint emails_anteriores__pk primary key (usuario_id, trocado_em)
);

-- Outbox: written in the transaction that causes a mail, sent later, retried. Tokens are made when sending and never
-- stored here.
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
