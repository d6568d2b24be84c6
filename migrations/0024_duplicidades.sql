-- The same person twice: keyed hashes by which cases of one person meet, and pairs of them that somebody decides on.

-- Cases whose keys are stored. Names stay sealed: nothing here tells one. No references to `casos`, here and in the tables of keys and
-- pairs: their checks lock cases, and would let the job and a long import wait for each other. Triggers below delete what belongs to
-- a deleted case; readers join the cases, and a scan ends by deleting what slipped through.
create table casos_identidade (
  caso_id integer constraint casos_identidade__pk primary key
);

-- Keys of cases: 64 bits of a keyed hash each, of a name with a date or a place. Rows of one key stand in the order of their days,
-- so that a look at the days around a case reads no others.
create table casos_chaves (
  chave bigint not null,
  dia date not null,
  caso_id integer not null,
  constraint casos_chaves__pk primary key (chave, dia, caso_id)
);
create index casos_chaves__caso on casos_chaves (caso_id);

-- Cases that have each word in their names, by the word's keyed hash; 0 counts all cases with a name. No case refers to a word.
create table nomes_frequencia (
  chave bigint constraint nomes_frequencia__pk primary key,
  total integer not null
);

-- Cases whose keys and pairs are to be made anew. Appended by the statement that changed them; a job empties it.
create table duplicidades_pendentes (
  caso_id integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create function lembrar_identidade_insert() returns trigger language plpgsql as $$
begin
  insert into duplicidades_pendentes select id from depois where sigilo is not null and excluido_em is null;
  return null;
end $$;
create trigger casos_identidade_nova after insert on casos referencing new table as depois
  for each statement execute function lembrar_identidade_insert();

-- A sealed value is another at each writing, so that every change of a whole case counts.
create function lembrar_identidade_update() returns trigger language plpgsql as $$
begin
  insert into duplicidades_pendentes
  select d.id from depois d join antes a on a.id = d.id
  where (d.sigilo is not null or a.sigilo is not null)
    and (d.sigilo, d.excluido_em, d.data_notificacao, d.tipo_agravo, d.municipio_residencia, d.bairro_residencia, d.paciente_sexo)
      is distinct from (a.sigilo, a.excluido_em, a.data_notificacao, a.tipo_agravo, a.municipio_residencia, a.bairro_residencia,
        a.paciente_sexo);
  return null;
end $$;
create trigger casos_identidade_mudada after update on casos referencing old table as antes new table as depois
  for each statement execute function lembrar_identidade_update();

insert into duplicidades_pendentes select id from casos where sigilo is not null and excluido_em is null;

-- When the job was asked for last.
create table duplicidades_execucao (
  unica boolean constraint duplicidades_execucao__pk primary key default true constraint duplicidades_execucao__unica__one check (unica),
  pedida_em timestamptz
);
insert into duplicidades_execucao default values;

-- Imports whose number of pairs is not told yet.
create table duplicidades_importacoes (
  importacao_id integer constraint duplicidades_importacoes__pk primary key
    constraint duplicidades_importacoes__importacao_id__exists references importacoes (id) on delete cascade,
  job_id text not null
);

create table duplicidades (
  id integer generated always as identity constraint duplicidades__pk primary key,
  caso_1 integer not null,
  caso_2 integer not null,
  escore real not null,
  faixa text not null constraint duplicidades__faixa__known check (faixa in ('quase_certa', 'provavel', 'possivel')),
  -- Levels, and no value of either case.
  sinais jsonb not null,
  versao_pesos smallint not null,
  situacao text not null default 'pendente' constraint duplicidades__situacao__known
    check (situacao in ('pendente', 'mesmo_caso', 'outro_episodio', 'outra_pessoa')),
  encontrada_em timestamptz not null,
  decidida_em timestamptz,
  decidida_por_id integer,
  decidida_por_nome text,
  -- Sealed: people write names into reasons.
  motivo bytea,
  constraint duplicidades__ordered check (caso_1 < caso_2),
  constraint duplicidades__pair unique (caso_1, caso_2)
);
create index duplicidades__caso_2 on duplicidades (caso_2);
create index duplicidades__situacao on duplicidades (situacao, escore desc, id desc);

create function esquecer_identidade() returns trigger language plpgsql as $$
begin
  delete from casos_chaves where caso_id in (select id from antes);
  delete from casos_identidade where caso_id in (select id from antes);
  delete from duplicidades where caso_1 in (select id from antes);
  delete from duplicidades where caso_2 in (select id from antes);
  return null;
end $$;
create trigger casos_identidade_fim after delete on casos referencing old table as antes
  for each statement execute function esquecer_identidade();

create function esvaziar_identidades() returns trigger language plpgsql as $$
begin
  delete from casos_chaves;
  delete from casos_identidade;
  delete from nomes_frequencia;
  delete from duplicidades_pendentes;
  delete from duplicidades;
  return null;
end $$;
create trigger casos_identidade_truncate after truncate on casos
  for each statement execute function esvaziar_identidades();
