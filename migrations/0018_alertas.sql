-- Early warning: thresholds, the level of each place, disease and week, alerts as they were told.

-- Municipalities whose counters changed since alerts were last computed. The fold marks them; `vezes` tells a mark that was renewed
-- while they were being computed from one that is done with.
create table casos_lugares_mudados (
  tipo_agravo text collate "C" not null,
  estado text collate "C" not null,
  municipio integer not null,
  vezes bigint not null default 1,
  constraint casos_lugares_mudados__pk primary key (tipo_agravo, estado, municipio)
);

-- Bulk changes that alerts have not followed yet: a row for each, in its transaction.
create table casos_mudancas_em_massa (
  numero bigint generated always as identity constraint casos_mudancas_em_massa__pk primary key
);

-- As before, with every place that has cases marked as changed.
create or replace function esvaziar_contagens() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(8443010);
  insert into casos_lugares_mudados as m (tipo_agravo, estado, municipio)
  select tipo_agravo, left(lugar, 2), substr(lugar, 3)::integer from casos_contagens
  where serie = 'sempre' and length(lugar) > 2 group by 1, 2, 3
  union
  select distinct tipo_agravo, estado, municipio from casos_contagens_pendentes
  on conflict (tipo_agravo, estado, municipio) do update set vezes = m.vezes + 1;
  delete from casos_contagens_pendentes_gerais;
  delete from casos_contagens_pendentes;
  delete from casos_contagens;
  return null;
end $$;

-- Thresholds by disease; a change adds a version.
create table alertas_regras (
  tipo_agravo text not null,
  versao integer not null,
  p_crescimento double precision not null,
  casos_janela double precision not null,
  casos_amarelo double precision not null,
  casos_laranja double precision not null,
  casos_vermelho double precision not null,
  incidencia_4_semanas double precision not null,
  criado_em timestamptz not null,
  constraint alertas_regras__pk primary key (tipo_agravo, versao)
);
insert into alertas_regras
select tipo_agravo, 1, 0.95, 5, 5, 5, 10, 100, now() from unnest(array['dengue', 'zika', 'chikungunya']) t (tipo_agravo);

create table alertas_niveis (
  tipo_agravo text collate "C" not null,
  -- Number of the week: 0 begins on 4 January 1970.
  semana integer not null,
  -- '' for the country, a state's letters, or the code of a health region or municipality.
  lugar text collate "C" not null,
  nivel text not null constraint alertas_niveis__nivel__known check (nivel in ('verde', 'amarelo', 'laranja', 'vermelho')),
  motivos text[] not null,
  casos integer not null,
  casos_estimados double precision not null,
  incidencia double precision,
  p_rt_maior_1 double precision not null,
  limite_superior double precision,
  qualidade text not null,
  regra_versao integer not null,
  calculado_em timestamptz not null,
  constraint alertas_niveis__pk primary key (tipo_agravo, semana, lugar)
);

-- Alerts as they were told: levels of the last week that differed from the one told before.
create table alertas (
  id integer generated always as identity constraint alertas__pk primary key,
  tipo_agravo text not null,
  lugar text collate "C" not null,
  nivel_lugar text not null,
  -- Parts of the place, to filter by; null where it is larger.
  estado text,
  regiao_saude integer,
  municipio integer,
  -- AAAASS.
  semana text not null,
  nivel text not null,
  nivel_anterior text,
  motivos text[] not null,
  casos integer not null,
  casos_estimados double precision not null,
  incidencia double precision,
  p_rt_maior_1 double precision not null,
  limite_superior double precision,
  qualidade text not null,
  regra_versao integer not null,
  criado_em timestamptz not null,
  reconhecido_em timestamptz,
  reconhecido_por_id integer constraint alertas__reconhecido_por_id__exists references usuarios on delete set null,
  reconhecido_por_nome text,
  nota text
);
-- The last one told of a place.
create index alertas__lugar on alertas (tipo_agravo, lugar, id desc);
create index alertas__estado on alertas (estado, id desc);
create index alertas__municipio on alertas (municipio, id desc) where municipio is not null;
create index alertas__reconhecido_por on alertas (reconhecido_por_id) where reconhecido_por_id is not null;

-- One row: the last computation.
create table alertas_execucao (
  unico boolean constraint alertas_execucao__pk primary key default true constraint alertas_execucao__unico__one check (unico),
  -- Last week for which every place was computed.
  semana_completa integer,
  -- When a computation was last asked for.
  pedida_em timestamptz
);
insert into alertas_execucao default values;

-- Events about a place: health regions, for accounts that are bound to whole ones, and the levels that a webhook may ask for.
alter table eventos_novos add column regioes integer[], add column niveis text[];
alter table eventos add column regioes integer[], add column niveis text[];
alter table webhooks add column niveis text[] not null default '{}';
