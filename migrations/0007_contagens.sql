-- Counters of cases, kept by triggers, so that totals and statistics never scan the cases.
--
-- A change of cases appends deltas to two pending tables in its own transaction, without updating a shared row; the service
-- rolls them up into `casos_contagens` in the background. Counters plus pending rows are exact at every moment. Unknown
-- values are '' in both (a state '--', a municipality 0), so that they can be part of a key.

-- Age bands of the Ministry's bulletins.
create function faixa_etaria(idade integer) returns text
  language sql immutable parallel safe
  return case
    when idade < 1 then '<1'
    when idade < 5 then '1-4'
    when idade < 10 then '5-9'
    when idade < 15 then '10-14'
    when idade < 20 then '15-19'
    when idade < 40 then '20-39'
    when idade < 60 then '40-59'
    when idade < 80 then '60-79'
    when idade >= 80 then '80+' end;

-- Pending deltas of the series `dia` and `mes` of the country and of states: few short rows, read with every total, and
-- rolled up by a bulk change before it commits. Emptied often: vacuumed by count, since dead rows slow every reader.
create table casos_contagens_pendentes_gerais (
  tipo_agravo text collate "C" not null,
  classe text collate "C" not null,
  dia date not null,
  estado text collate "C" not null,
  total integer not null,
  hospitalizados integer not null,
  obitos integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Pending deltas of all other series, nearly one counter for each case.
create table casos_contagens_pendentes (
  tipo_agravo text collate "C" not null,
  classe text collate "C" not null,
  dia date not null,
  estado text collate "C" not null,
  municipio integer not null,
  sexo text collate "C" not null,
  faixa_etaria text collate "C" not null,
  data_inicio_sintomas text collate "C" not null,
  total integer not null,
  hospitalizados integer not null,
  obitos integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- A list of one municipality reads its own deltas, not those of a whole import.
create index casos_contagens_pendentes__municipio on casos_contagens_pendentes (municipio);

-- One number for each place, series, time and value. Places are the country (''), each state ('PE') and each municipality
-- ('PE2611606'). The series `dia` and `mes` count all cases by day and by month, `sempre` over all time (its start is the
-- first day of the calendar; country and states only), the others by month and by the dimension they are named after.
-- Municipalities have only `mes`: their days have so few cases that reading those is as fast. The fill factor leaves room
-- for updates in place.
create table casos_contagens (
  lugar text collate "C" not null,
  serie text collate "C" not null,
  inicio date not null,
  tipo_agravo text collate "C" not null,
  classe text collate "C" not null,
  valor text collate "C" not null,
  total integer not null,
  hospitalizados integer not null,
  obitos integer not null,
  constraint casos_contagens__pk primary key (lugar, serie, inicio, tipo_agravo, classe, valor)
) with (fillfactor = 85);
-- All municipalities of a state or of the country.
create index casos_contagens__municipios on casos_contagens (inicio, lugar) where length(lugar) > 2;

-- Dimensions and measures counted of each case.
create view casos_contados as
select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
  coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
  coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
  coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
  1 as total, coalesce(c.hospitalizacao, false)::integer as hospitalizados,
  coalesce(c.evolucao = 'obito', false)::integer as obitos
from casos c where c.excluido_em is null;

-- One trigger function for each kind of statement, since each sees other transition tables. In an update old and new rows
-- cancel out, so that a change of fields that are not counted appends nothing.
create function contar_casos_insert() returns trigger language plpgsql as $$
begin
  with mudanca as (
    select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
      coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
      coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
      coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
      c.sinal as total, c.sinal * coalesce(c.hospitalizacao, false)::integer as hospitalizados,
      c.sinal * coalesce(c.evolucao = 'obito', false)::integer as obitos
    from (select 1 as sinal, * from depois) c
    where c.excluido_em is null),
  detalhes as (insert into casos_contagens_pendentes select * from mudanca)
  insert into casos_contagens_pendentes_gerais
  select tipo_agravo, classe, dia, estado, sum(total), sum(hospitalizados), sum(obitos)
  from mudanca
  group by 1, 2, 3, 4
  having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0;
  return null;
end $$;

create function contar_casos_delete() returns trigger language plpgsql as $$
begin
  with mudanca as (
    select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
      coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
      coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
      coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
      c.sinal as total, c.sinal * coalesce(c.hospitalizacao, false)::integer as hospitalizados,
      c.sinal * coalesce(c.evolucao = 'obito', false)::integer as obitos
    from (select -1 as sinal, * from antes) c
    where c.excluido_em is null),
  detalhes as (insert into casos_contagens_pendentes select * from mudanca)
  insert into casos_contagens_pendentes_gerais
  select tipo_agravo, classe, dia, estado, sum(total), sum(hospitalizados), sum(obitos)
  from mudanca
  group by 1, 2, 3, 4
  having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0;
  return null;
end $$;

create function contar_casos_update() returns trigger language plpgsql as $$
begin
  with mudanca as (
    select tipo_agravo, classe, dia, estado, municipio, sexo, faixa_etaria, data_inicio_sintomas,
      sum(total) as total, sum(hospitalizados) as hospitalizados, sum(obitos) as obitos
    from (
      select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
        coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
        coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
        coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
        c.sinal as total, c.sinal * coalesce(c.hospitalizacao, false)::integer as hospitalizados,
        c.sinal * coalesce(c.evolucao = 'obito', false)::integer as obitos
      from (select 1 as sinal, * from depois union all select -1, * from antes) c
      where c.excluido_em is null
    ) c
    group by 1, 2, 3, 4, 5, 6, 7, 8
    having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0),
  detalhes as (insert into casos_contagens_pendentes select * from mudanca)
  insert into casos_contagens_pendentes_gerais
  select tipo_agravo, classe, dia, estado, sum(total), sum(hospitalizados), sum(obitos)
  from mudanca
  group by 1, 2, 3, 4
  having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0;
  return null;
end $$;

create trigger casos_contagem_insert after insert on casos referencing new table as depois
  for each statement execute function contar_casos_insert();
create trigger casos_contagem_delete after delete on casos referencing old table as antes
  for each statement execute function contar_casos_delete();
create trigger casos_contagem_update after update on casos referencing old table as antes new table as depois
  for each statement execute function contar_casos_update();

-- Under the lock of the roll-up: rows it is writing at this moment go, too.
create function esvaziar_contagens() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(8443010);
  delete from casos_contagens_pendentes_gerais;
  delete from casos_contagens_pendentes;
  delete from casos_contagens;
  return null;
end $$;
create trigger casos_contagem_truncate after truncate on casos
  for each statement execute function esvaziar_contagens();

-- Covers statistics that the counters cannot answer, for the cases of a period.
create index casos__contagem on casos (data_notificacao)
  include (tipo_agravo, classificacao_final, estado_residencia, municipio_residencia, paciente_sexo, paciente_idade,
    data_inicio_sintomas, hospitalizacao, evolucao)
  where excluido_em is null;
