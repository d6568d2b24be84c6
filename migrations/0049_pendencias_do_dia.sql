-- Work of the day: three more bits of `pendencias`, deaths whose investigation has not begun and two fields that are missing. A new
-- bit is a rewrite of the column (D-242), and so right for the rows of before.
drop index casos__municipio;
drop index casos__pendentes;

alter table casos
  drop column pendencias,
  add column pendencias integer not null generated always as (
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
  -- A death whose cause is not settled, or of a case that is open; from when on it counts is a matter of the day of reading.
  | ((data_investigacao is null and coalesce(evolucao = 'obito_em_investigacao'
      or evolucao = 'obito' and status = 'em_investigacao', false))::integer << 15)
  | ((data_inicio_sintomas is null)::integer << 16)
  -- As completeness asks for it.
  | ((tipo_agravo <> 'zika' and hospitalizacao is null)::integer << 17)
  ) stored;

-- As before.
create index casos__municipio on casos (municipio_residencia, data_notificacao desc, id desc)
  include (estado_residencia, tipo_agravo, classificacao_final, hospitalizacao, evolucao,
    paciente_sexo, paciente_idade, qualidade, pendencias, duplicado_chave,
    data_inicio_sintomas, data_digitacao, data_encerramento, data_obito)
  where excluido_em is null;
-- With the day from which a death is known.
create index casos__pendentes on casos (municipio_residencia, data_notificacao, id)
  include (estado_residencia, tipo_agravo, pendencias, data_obito)
  where excluido_em is null and pendencias <> 0;
