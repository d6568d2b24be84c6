-- Accounts: users, groups, permissions, sessions and the keys that sign access tokens.
-- Constraints are named <table>__<field>__<meaning>: a violation tells the caller its field (src/db/pg-errors.ts).

create extension if not exists unaccent;

-- Text as people search it: without regard to case and accents. Immutable, so that indexes can use it.
create function plain(value text) returns text
  language sql immutable strict parallel safe
  return lower(unaccent('unaccent', value));

create table permissoes (
  id integer generated always as identity constraint permissoes__pk primary key,
  nome text not null constraint permissoes__nome__unique unique,
  descricao text,
  padrao boolean not null default false,
  criado_em timestamptz not null default now()
);

create table grupos (
  id integer generated always as identity constraint grupos__pk primary key,
  nome text not null constraint grupos__nome__unique unique,
  descricao text,
  ativo boolean not null default true,
  padrao boolean not null default false,
  criado_em timestamptz not null default now(),
  atualizado_em timestamptz not null default now()
);

create table grupos_permissoes (
  grupo_id integer not null constraint grupos_permissoes__grupo_id__exists references grupos on delete cascade,
  permissao_id integer not null constraint grupos_permissoes__permissao_id__exists references permissoes on delete cascade,
  constraint grupos_permissoes__pk primary key (grupo_id, permissao_id)
);
create index grupos_permissoes__permissao_id on grupos_permissoes (permissao_id);

create table usuarios (
  id integer generated always as identity constraint usuarios__pk primary key,
  nome text not null,
  email text not null,
  senha_hash text not null,
  telefone text,
  estado text,
  cidade text,
  funcao text,
  instituicao text,
  admin boolean not null default false,
  desativado_em timestamptz,
  ativo boolean not null generated always as (desativado_em is null) stored,
  ultimo_login timestamptz,
  criado_em timestamptz not null default now(),
  atualizado_em timestamptz not null default now()
);
create unique index usuarios__email__unique on usuarios (lower(email));

create table usuarios_grupos (
  usuario_id integer not null constraint usuarios_grupos__usuario_id__exists references usuarios on delete cascade,
  grupo_id integer not null constraint usuarios_grupos__grupo_id__exists references grupos,
  constraint usuarios_grupos__pk primary key (usuario_id, grupo_id)
);
create index usuarios_grupos__grupo_id on usuarios_grupos (grupo_id);

create table usuarios_permissoes (
  usuario_id integer not null constraint usuarios_permissoes__usuario_id__exists references usuarios on delete cascade,
  permissao_id integer not null constraint usuarios_permissoes__permissao_id__exists references permissoes on delete cascade,
  constraint usuarios_permissoes__pk primary key (usuario_id, permissao_id)
);
create index usuarios_permissoes__permissao_id on usuarios_permissoes (permissao_id);

-- A session is one login. Ended sessions stay for the record; their tokens stop working at once.
create table sessoes (
  id uuid constraint sessoes__pk primary key,
  usuario_id integer not null constraint sessoes__usuario_id__exists references usuarios on delete cascade,
  criado_em timestamptz not null,
  expira_em timestamptz not null,
  encerrada_em timestamptz,
  endereco_ip inet,
  agente text
);
create index sessoes__usuario_id on sessoes (usuario_id) where encerrada_em is null;

-- Only the SHA-256 of a refresh token is kept.
create table refresh_tokens (
  hash bytea constraint refresh_tokens__pk primary key,
  sessao_id uuid not null constraint refresh_tokens__sessao_id__exists references sessoes on delete cascade,
  criado_em timestamptz not null
);
create index refresh_tokens__sessao_id on refresh_tokens (sessao_id);

-- Ed25519 key pairs; the private half is encrypted under DATA_KEY, which is never in the database.
create table chaves_assinatura (
  kid text constraint chaves_assinatura__pk primary key,
  publica jsonb not null,
  privada_cifrada bytea not null,
  criada_em timestamptz not null default now()
);

-- What each user may do: direct permissions and those of their active groups.
create view permissoes_efetivas as
  select usuario_id, permissao_id from usuarios_permissoes
  union
  select ug.usuario_id, gp.permissao_id
    from usuarios_grupos ug
    join grupos g on g.id = ug.grupo_id and g.ativo
    join grupos_permissoes gp on gp.grupo_id = g.id;

-- Active accounts that hold everything: by the flag or by the permission `admin`.
create view administradores as
  select u.id from usuarios u
   where u.ativo and (u.admin or exists (
     select from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
      where e.usuario_id = u.id and p.nome = 'admin'));
