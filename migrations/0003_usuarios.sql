-- Users in both descriptions: rate tier, quick search, photo.

create extension if not exists pg_trgm;

alter table usuarios
  add column plano text not null default 'basico'
    constraint usuarios__plano__known check (plano in ('basico', 'premium', 'enterprise')),
  -- As people search them: without case and accents, computed once when written.
  add column nome_busca text not null generated always as (plain(nome)) stored,
  add column email_busca text not null generated always as (plain(email)) stored,
  add column cidade_busca text generated always as (plain(cidade)) stored,
  add column estado_busca text generated always as (plain(estado)) stored,
  add column instituicao_busca text generated always as (plain(instituicao)) stored,
  add column cargo_busca text generated always as (plain(cargo)) stored,
  add column departamento_busca text generated always as (plain(departamento)) stored;

update usuarios set plano = 'enterprise' where admin;

-- A filter that few rows meet is answered from the trigrams (three characters or more); one that many rows meet is
-- counted from an index that holds the text itself, not from the table.
create index usuarios__nome_trigramas on usuarios using gin (nome_busca gin_trgm_ops);
create index usuarios__email_trigramas on usuarios using gin (email_busca gin_trgm_ops);
create index usuarios__cidade_trigramas on usuarios using gin (cidade_busca gin_trgm_ops);
create index usuarios__estado_trigramas on usuarios using gin (estado_busca gin_trgm_ops);
create index usuarios__instituicao_trigramas on usuarios using gin (instituicao_busca gin_trgm_ops);
create index usuarios__nome on usuarios (nome, id) include (nome_busca);
create index usuarios__email on usuarios (email, id) include (email_busca);
create index usuarios__cidade on usuarios (cidade, id) include (cidade_busca);
create index usuarios__estado on usuarios (estado, id) include (estado_busca);
create index usuarios__instituicao on usuarios (instituicao, id) include (instituicao_busca);
create index usuarios__cargo on usuarios (cargo, id) include (cargo_busca);
create index usuarios__departamento on usuarios (departamento, id) include (departamento_busca);
create index usuarios__admin on usuarios (admin, id);
create index usuarios__ativo on usuarios (ativo, id);
create index usuarios__plano on usuarios (plano, id);
create index usuarios__email_verificado on usuarios (email_verificado, id);
create index usuarios__mfa_ativado_em on usuarios (mfa_ativado_em, id);
create index usuarios__criado_em on usuarios (criado_em, id);
create index usuarios__atualizado_em on usuarios (atualizado_em, id);

-- The members of a group are counted from the index alone.
drop index usuarios_grupos__grupo_id;
create index usuarios_grupos__grupo_id on usuarios_grupos (grupo_id, usuario_id);

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
