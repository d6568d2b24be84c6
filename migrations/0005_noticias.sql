-- News. Authors and changes are in the audit only.

create table noticias (
  id integer generated always as identity constraint noticias__pk primary key,
  titulo text not null,
  resumo text,
  conteudo text not null,
  fonte text,
  -- Clicked by readers: no `javascript:` or the like.
  url text constraint noticias__url__http check (url ~* '^https?://'),
  publicado_em timestamptz not null,
  criado_em timestamptz not null,
  atualizado_em timestamptz not null,
  -- Search columns: without case and accents, computed once when written.
  titulo_busca text not null generated always as (plain(titulo)) stored,
  resumo_busca text generated always as (plain(resumo)) stored,
  conteudo_busca text not null generated always as (plain(conteudo)) stored,
  fonte_busca text generated always as (plain(fonte)) stored
);

-- The newest first, read backwards.
create index noticias__publicado_em on noticias (publicado_em, id);
create index noticias__titulo_trigramas on noticias using gin (titulo_busca gin_trgm_ops);
create index noticias__resumo_trigramas on noticias using gin (resumo_busca gin_trgm_ops);
create index noticias__conteudo_trigramas on noticias using gin (conteudo_busca gin_trgm_ops);
create index noticias__fonte_trigramas on noticias using gin (fonte_busca gin_trgm_ops);
