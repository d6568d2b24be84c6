-- How many cases there are, kept while they change, so that no question about numbers reads the cases themselves.
--
-- A change of cases appends to `casos_contagens_pendentes`, in its own transaction and without touching a row that others
-- touch; now and then the service adds what is there to `casos_contagens` and removes it. Both together are exact at
-- every moment. What is not known is '' in both (a state '--', a municipality 0), so that it can be part of a key.

-- The bands of the Ministry's bulletins.
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

-- Often emptied: its dead rows are in the way of every reader.
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

-- One number for each place, series, time and value. Places are the country (''), each state ('PE') and each municipality
-- ('PE2611606'). The series `dia` and `mes` count all cases, by day and by month, the others by month and by what they are
-- called after; municipalities have only `mes`: their days have so few cases that reading those is as fast. Room on each
-- page lets rows that change often change in place.
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
-- All municipalities at once, of a state or of the country.
create index casos_contagens__municipios on casos_contagens (inicio, lugar) where length(lugar) > 2;

-- What is counted of each case.
create view casos_contados as
select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
  coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
  coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
  coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
  1 as total, coalesce(c.hospitalizacao, false)::integer as hospitalizados,
  coalesce(c.evolucao = 'obito', false)::integer as obitos
from casos c where c.excluido_em is null;

-- One function for each kind of statement, since each sees other transition tables. What an update takes away and puts
-- back cancels out, so that a change of what is not counted leaves nothing.
do $do$
declare
  evento record;
begin
  for evento in
    select tipo, tabelas, replace(replace(molde, '<mudanca>', $sql$
    select c.tipo_agravo, coalesce(c.classificacao_final, '') as classe, c.data_notificacao as dia,
      coalesce(c.estado_residencia, '--') as estado, coalesce(c.municipio_residencia, 0) as municipio,
      coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa_etaria,
      coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '') as data_inicio_sintomas,
      c.sinal as total, c.sinal * coalesce(c.hospitalizacao, false)::integer as hospitalizados,
      c.sinal * coalesce(c.evolucao = 'obito', false)::integer as obitos
    from (<linhas>) c
    where c.excluido_em is null$sql$), '<linhas>', linhas) as mudanca
    from (values
      ('insert', 'new table as depois', 'select 1 as sinal, * from depois', '<mudanca>'),
      ('delete', 'old table as antes', 'select -1 as sinal, * from antes', '<mudanca>'),
      ('update', 'old table as antes new table as depois',
        'select 1 as sinal, * from depois union all select -1, * from antes', $sql$
    select tipo_agravo, classe, dia, estado, municipio, sexo, faixa_etaria, data_inicio_sintomas,
      sum(total), sum(hospitalizados), sum(obitos)
    from (<mudanca>) m
    group by 1, 2, 3, 4, 5, 6, 7, 8
    having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0$sql$)
    ) e (tipo, tabelas, linhas, molde)
  loop
    execute format($function$
create function contar_casos_%1$s() returns trigger language plpgsql as $$
begin
  insert into casos_contagens_pendentes %2$s;
  return null;
end $$$function$, evento.tipo, evento.mudanca);
    execute format(
      'create trigger casos_contagem_%1$s after %1$s on casos referencing %2$s
         for each statement execute function contar_casos_%1$s()',
      evento.tipo, evento.tabelas);
  end loop;
end $do$;

-- Under the lock of those who add up: what they write at this moment goes, too.
create function esvaziar_contagens() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(8443010);
  delete from casos_contagens_pendentes;
  delete from casos_contagens;
  return null;
end $$;
create trigger casos_contagem_truncate after truncate on casos
  for each statement execute function esvaziar_contagens();

-- What is there already waits to be added up like everything else.
insert into casos_contagens_pendentes select * from casos_contados;

-- Where the counters do not know the answer, what is counted of the cases of a period is read from here alone.
create index casos__contagem on casos (data_notificacao)
  include (tipo_agravo, classificacao_final, estado_residencia, municipio_residencia, paciente_sexo, paciente_idade,
    data_inicio_sintomas, hospitalizacao, evolucao)
  where excluido_em is null;

-- The points of the map's cells, for the few cases that have one.
create index casos__ponto_bairro on casos (municipio_residencia, plain(bairro_residencia))
  include (latitude_aproximada, longitude_aproximada)
  where excluido_em is null and latitude_aproximada is not null;
create index casos__ponto_setor on casos (cep_setor) include (latitude_aproximada, longitude_aproximada)
  where excluido_em is null and latitude_aproximada is not null;
create index casos__ponto_cep on casos (cep_chave) include (latitude_aproximada, longitude_aproximada)
  where excluido_em is null and latitude_aproximada is not null;
