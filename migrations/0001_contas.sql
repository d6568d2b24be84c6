-- Accounts: users, groups, permissions and photos.
-- Constraints are named <table>__<field>__<meaning>: a violation names the caller's field (src/db/pg-errors.ts).

create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- Text as people search it: without case and accents. Immutable, so that indexes can use it.
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
  email_verificado boolean not null default false,
  -- New address of an account, before it is verified.
  email_pendente text,
  cpf text constraint usuarios__cpf__unique unique,
  telefone text,
  estado text,
  cidade text,
  funcao text,
  instituicao text,
  cargo text,
  departamento text,
  -- Language of mails: that of the last login.
  idioma text not null default 'pt-BR',
  -- Rate tier.
  plano text not null default 'basico'
    constraint usuarios__plano__known check (plano in ('basico', 'premium', 'enterprise')),
  admin boolean not null default false,
  senha_hash text not null,
  senha_alterada_em timestamptz not null default now(),
  -- 0 (weak) to 4, rated when the password is set; only its hash is kept.
  senha_forca smallint not null default 0,
  -- Forced change: the account can do nothing else before.
  trocar_senha boolean not null default false,
  -- TOTP secret, encrypted under DATA_KEY; active once mfa_ativado_em is set.
  mfa_segredo_cifrado bytea,
  mfa_ativado_em timestamptz,
  -- Time step of the last accepted code: a code works once.
  mfa_ultimo_passo bigint not null default 0,
  ultimo_login timestamptz,
  ultimo_acesso timestamptz,
  desativado_em timestamptz,
  ativo boolean not null generated always as (desativado_em is null) stored,
  criado_em timestamptz not null default now(),
  criado_por_id integer constraint usuarios__criado_por_id__exists references usuarios on delete set null,
  atualizado_em timestamptz not null default now(),
  atualizado_por_id integer constraint usuarios__atualizado_por_id__exists references usuarios on delete set null,
  -- Search columns: without case and accents, computed once when written.
  nome_busca text not null generated always as (plain(nome)) stored,
  email_busca text not null generated always as (plain(email)) stored,
  cidade_busca text generated always as (plain(cidade)) stored,
  estado_busca text generated always as (plain(estado)) stored,
  instituicao_busca text generated always as (plain(instituicao)) stored,
  cargo_busca text generated always as (plain(cargo)) stored,
  departamento_busca text generated always as (plain(departamento)) stored
);
create unique index usuarios__email__unique on usuarios (lower(email));
create index usuarios__admin on usuarios (id) where admin;

-- Substring search from three characters on, in any of these columns; shorter texts and all orders scan the table, which at
-- 100,000 accounts stays within 150 ms.
create index usuarios__trigramas on usuarios using gin
  (nome_busca gin_trgm_ops, email_busca gin_trgm_ops, cidade_busca gin_trgm_ops, estado_busca gin_trgm_ops,
   instituicao_busca gin_trgm_ops, cargo_busca gin_trgm_ops, departamento_busca gin_trgm_ops);

create table usuarios_grupos (
  usuario_id integer not null constraint usuarios_grupos__usuario_id__exists references usuarios on delete cascade,
  grupo_id integer not null constraint usuarios_grupos__grupo_id__exists references grupos,
  constraint usuarios_grupos__pk primary key (usuario_id, grupo_id)
);
-- Covers the count of a group's members.
create index usuarios_grupos__grupo_id on usuarios_grupos (grupo_id, usuario_id);

create table usuarios_permissoes (
  usuario_id integer not null constraint usuarios_permissoes__usuario_id__exists references usuarios on delete cascade,
  permissao_id integer not null constraint usuarios_permissoes__permissao_id__exists references permissoes on delete cascade,
  constraint usuarios_permissoes__pk primary key (usuario_id, permissao_id)
);
create index usuarios_permissoes__permissao_id on usuarios_permissoes (permissao_id);

-- The re-encoded photo in two sizes; nothing of the original is kept.
create table fotos_de_perfil (
  usuario_id integer constraint fotos_de_perfil__pk primary key
    constraint fotos_de_perfil__usuario_id__exists references usuarios on delete cascade,
  grande bytea not null,
  pequena bytea not null,
  -- SHA-256 of the large one, part of the address: a new photo has a new address.
  versao text not null,
  atualizada_em timestamptz not null
);

-- Rights an account has now: its own permissions and those of its active groups.
create view permissoes_efetivas as
  select usuario_id, permissao_id from usuarios_permissoes
  union
  select ug.usuario_id, gp.permissao_id
    from usuarios_grupos ug
    join grupos g on g.id = ug.grupo_id and g.ativo
    join grupos_permissoes gp on gp.grupo_id = g.id;

-- Rights an account was given, inactive groups included, which can be activated again. Decides who ranks above whom.
create view permissoes_atribuidas as
  select usuario_id, permissao_id from usuarios_permissoes
  union
  select ug.usuario_id, gp.permissao_id
    from usuarios_grupos ug join grupos_permissoes gp on gp.grupo_id = ug.grupo_id;

-- Active accounts that hold everything: by the flag or by the permission `admin`.
create view administradores as
  select u.id from usuarios u
   where u.ativo and (u.admin or u.id in (
     select e.usuario_id from permissoes_efetivas e
      where e.permissao_id = (select p.id from permissoes p where p.nome = 'admin')));
