-- Merges of two cases into one, which can be undone.

-- The case that this one was merged into; set with `excluido_em`, so that lists, counters, map and exports leave it out by themselves.
alter table casos add column fundido_com integer;
-- Notifications of absorbed cases: a file that brings one again finds it here, and makes no second case of it.
create index casos__fundidos on casos (numero_notificacao, data_notificacao, tipo_agravo) where fundido_com is not null;
create index casos__fundido_com on casos (fundido_com) where fundido_com is not null;

create table fusoes (
  id integer generated always as identity constraint fusoes__pk primary key,
  principal_id integer not null constraint fusoes__principal_id__exists references casos (id) on delete cascade,
  absorvido_id integer not null constraint fusoes__absorvido_id__exists references casos (id) on delete cascade,
  -- Versions of both right after the merge.
  principal_versao integer not null,
  absorvido_versao integer not null,
  -- Fields that the merge changed in the principal: open ones as `[before, after]`, sealed ones by name alone.
  alteracoes jsonb not null,
  sigilo bytea,
  feita_em timestamptz not null,
  feita_por_id integer,
  feita_por_nome text not null,
  desfeita_em timestamptz,
  desfeita_por_id integer,
  desfeita_por_nome text,
  constraint fusoes__two check (principal_id <> absorvido_id)
);
create index fusoes__principal on fusoes (principal_id);
-- A case is absorbed once at a time.
create unique index fusoes__absorvido on fusoes (absorvido_id) where desfeita_em is null;

alter table duplicidades add column fusao_id integer
  constraint duplicidades__fusao_id__exists references fusoes (id) on delete set null;
