-- What waits to be added up, in two queues: `casos_contagens_pendentes_gerais` for the series `dia` and `mes` of the country
-- and of states, `casos_contagens_pendentes` for all others. Totals and pages then read few and short rows, and a bulk
-- change adds up those alone before it commits; the details, nearly one counter for each case, follow in the background.

create table casos_contagens_pendentes_gerais (
  tipo_agravo text collate "C" not null,
  classe text collate "C" not null,
  dia date not null,
  estado text collate "C" not null,
  total integer not null,
  hospitalizados integer not null,
  obitos integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- A list of one municipality must not read all that a large import left waiting.
create index casos_contagens_pendentes__municipio on casos_contagens_pendentes (municipio);

-- What waited until now waits in both.
insert into casos_contagens_pendentes_gerais
select tipo_agravo, classe, dia, estado, sum(total), sum(hospitalizados), sum(obitos)
from casos_contagens_pendentes group by 1, 2, 3, 4;

-- One function for each kind of statement, since each sees other transition tables. What an update takes away and puts
-- back cancels out, so that a change of what is not counted leaves nothing.
do $do$
declare
  evento record;
begin
  for evento in
    select * from (values
      ('insert', 'select 1 as sinal, * from depois', '<contadas>'),
      ('delete', 'select -1 as sinal, * from antes', '<contadas>'),
      ('update', 'select 1 as sinal, * from depois union all select -1, * from antes', $sql$
    select tipo_agravo, classe, dia, estado, municipio, sexo, faixa_etaria, data_inicio_sintomas,
      sum(total) as total, sum(hospitalizados) as hospitalizados, sum(obitos) as obitos
    from (<contadas>) c
    group by 1, 2, 3, 4, 5, 6, 7, 8
    having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0$sql$)
    ) e (tipo, linhas, mudanca)
  loop
    execute format($function$
create or replace function contar_casos_%1$s() returns trigger language plpgsql as $$
begin
  with mudanca as (%2$s),
  detalhes as (insert into casos_contagens_pendentes select * from mudanca)
  insert into casos_contagens_pendentes_gerais
  select tipo_agravo, classe, dia, estado, sum(total), sum(hospitalizados), sum(obitos)
  from mudanca
  group by 1, 2, 3, 4
  having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0;
  return null;
end $$$function$, evento.tipo, replace(replace(evento.mudanca, '<contadas>', $sql$
    select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
      coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
      coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
      coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
      c.sinal as total, c.sinal * coalesce(c.hospitalizacao, false)::integer as hospitalizados,
      c.sinal * coalesce(c.evolucao = 'obito', false)::integer as obitos
    from (<linhas>) c
    where c.excluido_em is null$sql$), '<linhas>', evento.linhas));
  end loop;
end $do$;

create or replace function esvaziar_contagens() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(8443010);
  delete from casos_contagens_pendentes_gerais;
  delete from casos_contagens_pendentes;
  delete from casos_contagens;
  return null;
end $$;
