-- Quality of records: what is filled in, what contradicts itself, what waits for somebody.

-- Days after the notification within which an investigation should be over.
alter table tipos_agravo add column prazo_encerramento_dias smallint not null default 60;

-- Keyed hash of disease, municipality, sex and birth date, the same for records that may be of one person, with no way back.
-- Not of the birth date alone: beside the ages of thousands of records that would be as good as the date itself.
alter table casos add column duplicado_chave bigint;

-- Bits, in the order of `src/domain/casos/qualidade/regras.ts`: fields that are filled in (`ignorado` is not), fields that not every
-- record has, and closing by the source's own clock. Computed when a row is written, so that counting needs no other column.
-- Looking for a word first saves parsing `dados` of nearly every row.
alter table casos add column qualidade integer not null generated always as (
    (data_inicio_sintomas is not null)::integer
  | ((coalesce(paciente_sexo <> 'I', false))::integer << 1)
  -- An implausible age was filled in, too.
  | ((paciente_idade is not null or dados::text like '%"idade_informada"%' and dados ->> 'idade_informada' is not null)::integer << 2)
  | ((coalesce(paciente_raca <> 'ignorado', false))::integer << 3)
  | ((coalesce(paciente_escolaridade <> 'ignorado', false))::integer << 4)
  | ((classificacao_final is not null)::integer << 5)
  | ((criterio_confirmacao is not null)::integer << 6)
  | ((coalesce(evolucao <> 'ignorado', false))::integer << 7)
  | ((tipo_agravo <> 'zika' and hospitalizacao is not null)::integer << 8)
  | ((data_encerramento is not null)::integer << 9)
  | ((municipio_residencia is not null)::integer << 10)
  | ((bairro_residencia is not null)::integer << 11)
  | ((unidade_cnes is not null)::integer << 12)
  | ((paciente_gestante is not null and coalesce(paciente_sexo = 'F' and paciente_idade between 10 and 49, false))::integer << 13)
  | ((tipo_agravo = 'dengue' and dados::text like '%"sorotipo"%' and dados ->> 'sorotipo' is not null
      and coalesce(dados ->> 'pcr' = 'positivo' or dados ->> 'isolamento_viral' = 'positivo', false))::integer << 14)
  -- Records that the field is asked of.
  | ((tipo_agravo <> 'zika')::integer << 15)
  | ((coalesce(paciente_sexo = 'F' and paciente_idade between 10 and 49, false))::integer << 16)
  | ((tipo_agravo = 'dengue' and dados::text like '%"positivo"%'
      and coalesce(dados ->> 'pcr' = 'positivo' or dados ->> 'isolamento_viral' = 'positivo', false))::integer << 17)
  -- SINAN closes by itself on the 61st day; nobody investigated.
  | ((coalesce(classificacao_final = 'inconclusivo' and data_encerramento - data_notificacao = 61, false))::integer << 18)
) stored;

-- Bits of the same table: contradictions, and work that is not done. 0: nothing to do about the record by itself.
alter table casos add column pendencias integer not null generated always as (
    (coalesce(data_notificacao - data_inicio_sintomas > 365, false))::integer
  | ((data_obito is null and coalesce(evolucao in ('obito', 'obito_outras_causas', 'obito_em_investigacao'), false))::integer << 1)
  | ((data_obito is not null
      and not coalesce(evolucao in ('obito', 'obito_outras_causas', 'obito_em_investigacao'), false))::integer << 2)
  | ((coalesce(data_obito < data_inicio_sintomas, false))::integer << 3)
  | ((coalesce(hospitalizacao, false) and data_internacao is null)::integer << 4)
  | ((data_internacao is not null and not coalesce(hospitalizacao, false))::integer << 5)
  | ((coalesce(data_internacao < data_inicio_sintomas, false))::integer << 6)
  | ((classificacao_final is not null and data_encerramento is null
      and criterio_confirmacao is distinct from 'em_investigacao')::integer << 7)
  | ((data_encerramento is not null and classificacao_final is null)::integer << 8)
  | ((coalesce(classificacao_final = 'dengue_com_sinais_alarme', false) and not coalesce(
      'true' in (dados ->> 'sinais_alarme', dados ->> 'hipotensao', dados ->> 'queda_plaquetas', dados ->> 'aumento_hematocrito',
        dados ->> 'dor_abdominal', dados ->> 'vomito_persistente', dados ->> 'hepatomegalia', dados ->> 'sangramento_mucosa',
        dados ->> 'letargia', dados ->> 'acumulo_liquidos'), false))::integer << 9)
  | ((coalesce(classificacao_final = 'dengue_grave', false)
      and coalesce(dados ->> 'sinais_gravidade', '[]') = '[]')::integer << 10)
  | ((dados::text like '%"sorotipo"%' and dados ->> 'sorotipo' is not null
      and not coalesce(dados ->> 'pcr' = 'positivo' or dados ->> 'isolamento_viral' = 'positivo', false))::integer << 11)
  | ((status = 'em_investigacao')::integer << 12)
  | ((coalesce(evolucao = 'obito_em_investigacao', false))::integer << 13)
  | ((classificacao_final is null)::integer << 14)
) stored;

-- With the columns of pyramids, quality and delays, which are counted from this index alone, too.
drop index casos__municipio;
create index casos__municipio on casos (municipio_residencia, data_notificacao desc, id desc)
  include (estado_residencia, tipo_agravo, classificacao_final, hospitalizacao, evolucao,
    paciente_sexo, paciente_idade, qualidade, pendencias, duplicado_chave,
    data_inicio_sintomas, data_digitacao, data_encerramento, data_obito)
  where excluido_em is null;

-- Work list: the records somebody has to do with.
create index casos__pendentes on casos (municipio_residencia, data_notificacao, id) include (estado_residencia, tipo_agravo, pendencias)
  where excluido_em is null and pendencias <> 0;
-- Records of one person stand side by side, in the order of their onsets.
create index casos__duplicados on casos (municipio_residencia, duplicado_chave, data_inicio_sintomas)
  where excluido_em is null and duplicado_chave is not null;
