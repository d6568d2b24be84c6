-- Series: numbers by place and time beside the cases (climate, vectors, water, counts that exist only aggregated).

create table series (
  id integer generated always as identity constraint series__pk primary key,
  codigo text not null constraint series__codigo__unique unique,
  nome text not null,
  descricao text not null,
  dominio text not null,
  tema text not null,
  unidade text not null,
  tipo_valor text not null,
  categorias jsonb not null default '[]',
  periodo text not null,
  nivel text not null,
  agrega_tempo text not null,
  agrega_lugar text not null,
  minimo double precision,
  maximo double precision,
  casas smallint not null default 4,
  validade smallint not null default 0,
  limiares jsonb not null default '[]',
  derivada jsonb,
  fonte text not null,
  fonte_url text,
  licenca text not null,
  atribuicao text,
  publica boolean not null default false,
  ativa boolean not null default true,
  versao integer not null default 1,
  criado_por_id integer,
  criado_em timestamptz not null,
  atualizado_em timestamptz not null,
  -- Summary of the values, kept by their writers, who hold the row: lists need not count blocks.
  valores bigint not null default 0,
  lugares integer not null default 0,
  primeiro date,
  ultimo date,
  valores_em timestamptz
);

-- Values of a place and a year: one slot for each period of the year, null where there is none.
create table series_blocos (
  serie_id integer not null constraint series_blocos__serie_id__exists references series,
  lugar text collate "C" not null,
  ano smallint not null,
  valores double precision[] not null,
  -- Number of values, first and last slot that has one.
  contagem smallint not null,
  primeiro smallint not null,
  ultimo smallint not null,
  revisao integer not null,
  importacao_id integer,
  atualizado_em timestamptz not null,
  constraint series_blocos__pk primary key (serie_id, lugar, ano)
);
create index series_blocos__ano on series_blocos (serie_id, ano, lugar) include (contagem, primeiro, ultimo);

-- The block as it was before each change; `valores` null: it did not exist.
create table series_blocos_historico (
  serie_id integer not null,
  lugar text collate "C" not null,
  ano smallint not null,
  revisao integer not null,
  valores double precision[],
  -- The import that made the next revision.
  importacao_id integer,
  usuario_id integer,
  ate timestamptz not null,
  constraint series_blocos_historico__pk primary key (serie_id, lugar, ano, revisao)
);
create index series_blocos_historico__importacao on series_blocos_historico (importacao_id);

do $$ begin
  alter table series_blocos alter column valores set compression lz4;
  alter table series_blocos_historico alter column valores set compression lz4;
exception when feature_not_supported then null;
end $$;

alter table importacoes add column alvo text not null default 'casos';
-- Values of series that it removed.
alter table importacoes add column apagados integer not null default 0;

insert into series (codigo, nome, descricao, dominio, tema, unidade, tipo_valor, periodo, nivel, agrega_tempo, agrega_lugar,
  minimo, maximo, casas, validade, fonte, licenca, criado_em, atualizado_em)
select codigo, nome, descricao, dominio, tema, unidade, tipo_valor, periodo, 'municipio', agrega_tempo, agrega_lugar,
  minimo, maximo, casas, validade, fonte, licenca, now(), now()
from (values
  ('temp_min', 'Temperatura mínima', 'Mínima do dia', 'ambiental', 'clima', 'Cel', 'numero', 'dia', 'media', 'media_populacao', -20, 50, 4, 0, 'INMET, ERA5-Land', 'Dados abertos'),
  ('temp_med', 'Temperatura média', 'Média do dia', 'ambiental', 'clima', 'Cel', 'numero', 'dia', 'media', 'media_populacao', -20, 50, 4, 0, 'INMET, ERA5-Land', 'Dados abertos'),
  ('temp_max', 'Temperatura máxima', 'Máxima do dia', 'ambiental', 'clima', 'Cel', 'numero', 'dia', 'media', 'media_populacao', -20, 50, 4, 0, 'INMET, ERA5-Land', 'Dados abertos'),
  ('umid_min', 'Umidade mínima', 'Umidade relativa mínima do dia', 'ambiental', 'clima', '%', 'numero', 'dia', 'media', 'media_populacao', 0, 100, 4, 0, 'INMET, ERA5-Land', 'Dados abertos'),
  ('umid_med', 'Umidade média', 'Umidade relativa média do dia', 'ambiental', 'clima', '%', 'numero', 'dia', 'media', 'media_populacao', 0, 100, 4, 0, 'INMET, ERA5-Land', 'Dados abertos'),
  ('umid_max', 'Umidade máxima', 'Umidade relativa máxima do dia', 'ambiental', 'clima', '%', 'numero', 'dia', 'media', 'media_populacao', 0, 100, 4, 0, 'INMET, ERA5-Land', 'Dados abertos'),
  ('chuva', 'Chuva', 'Precipitação do dia', 'ambiental', 'clima', 'mm', 'numero', 'dia', 'soma', 'media_populacao', 0, 600, 4, 0, 'INMET, CHIRPS, ERA5-Land', 'Dados abertos'),
  ('temp_min_sem', 'Temperatura mínima da semana', 'Média semanal das mínimas', 'ambiental', 'clima', 'Cel', 'numero', 'semana', 'media', 'media_populacao', -20, 50, 4, 0, 'InfoDengue', 'Dados abertos, com citação'),
  ('temp_med_sem', 'Temperatura média da semana', 'Média semanal', 'ambiental', 'clima', 'Cel', 'numero', 'semana', 'media', 'media_populacao', -20, 50, 4, 0, 'InfoDengue', 'Dados abertos, com citação'),
  ('temp_max_sem', 'Temperatura máxima da semana', 'Média semanal das máximas', 'ambiental', 'clima', 'Cel', 'numero', 'semana', 'media', 'media_populacao', -20, 50, 4, 0, 'InfoDengue', 'Dados abertos, com citação'),
  ('umid_min_sem', 'Umidade mínima da semana', 'Média semanal das mínimas', 'ambiental', 'clima', '%', 'numero', 'semana', 'media', 'media_populacao', 0, 105, 4, 0, 'InfoDengue', 'Dados abertos, com citação'),
  ('umid_med_sem', 'Umidade média da semana', 'Média semanal', 'ambiental', 'clima', '%', 'numero', 'semana', 'media', 'media_populacao', 0, 105, 4, 0, 'InfoDengue', 'Dados abertos, com citação'),
  ('umid_max_sem', 'Umidade máxima da semana', 'Média semanal das máximas', 'ambiental', 'clima', '%', 'numero', 'semana', 'media', 'media_populacao', 0, 105, 4, 0, 'InfoDengue', 'Dados abertos, com citação'),
  ('liraa_iip', 'LIRAa: índice de infestação predial', 'Imóveis com larvas em cada 100 inspecionados', 'ambiental', 'vetor', '%', 'numero', 'semana', 'ultimo', 'nenhuma', 0, 100, 2, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('liraa_ib', 'LIRAa: índice de Breteau', 'Recipientes positivos em cada 100 imóveis', 'ambiental', 'vetor', '1', 'numero', 'semana', 'ultimo', 'nenhuma', 0, 1000, 2, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('liraa_classificacao', 'LIRAa: classificação', 'Satisfatório (menos de 1 %), alerta (1 a 3,9 %), risco (4 % ou mais)', 'ambiental', 'vetor', '', 'categoria', 'semana', 'ultimo', 'nenhuma', null, null, 0, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('liraa_a1', 'LIRAa: depósitos A1', 'Parte dos recipientes positivos: caixa d''água elevada', 'ambiental', 'vetor', '%', 'numero', 'semana', 'ultimo', 'nenhuma', 0, 100, 2, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('liraa_a2', 'LIRAa: depósitos A2', 'Parte dos recipientes positivos: outros para armazenar água', 'ambiental', 'vetor', '%', 'numero', 'semana', 'ultimo', 'nenhuma', 0, 100, 2, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('liraa_b', 'LIRAa: depósitos B', 'Parte dos recipientes positivos: pequenos depósitos móveis', 'ambiental', 'vetor', '%', 'numero', 'semana', 'ultimo', 'nenhuma', 0, 100, 2, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('liraa_c', 'LIRAa: depósitos C', 'Parte dos recipientes positivos: depósitos fixos', 'ambiental', 'vetor', '%', 'numero', 'semana', 'ultimo', 'nenhuma', 0, 100, 2, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('liraa_d1', 'LIRAa: depósitos D1', 'Parte dos recipientes positivos: pneus', 'ambiental', 'vetor', '%', 'numero', 'semana', 'ultimo', 'nenhuma', 0, 100, 2, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('liraa_d2', 'LIRAa: depósitos D2', 'Parte dos recipientes positivos: lixo', 'ambiental', 'vetor', '%', 'numero', 'semana', 'ultimo', 'nenhuma', 0, 100, 2, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('liraa_e', 'LIRAa: depósitos E', 'Parte dos recipientes positivos: naturais', 'ambiental', 'vetor', '%', 'numero', 'semana', 'ultimo', 'nenhuma', 0, 100, 2, 26, 'LIRAa/LIA', 'Dados abertos'),
  ('ovitrampa_ipo', 'Ovitrampas: índice de positividade', 'Armadilhas positivas', 'ambiental', 'vetor', '%', 'numero', 'semana', 'media', 'media', 0, 100, 2, 4, 'Vigilância municipal', 'Dados abertos'),
  ('ovitrampa_ido', 'Ovitrampas: índice de densidade', 'Ovos por armadilha positiva', 'ambiental', 'vetor', '1', 'numero', 'semana', 'media', 'media', 0, 5000, 2, 4, 'Vigilância municipal', 'Dados abertos'),
  ('raiva_animal', 'Raiva animal', 'Animais com raiva confirmada em laboratório', 'animal', 'fauna', '{animais}', 'inteiro', 'mes', 'soma', 'soma', 0, null, 0, 0, 'Vigilância da raiva', 'Dados abertos'),
  ('lv_canina_examinados', 'Leishmaniose visceral canina: examinados', 'Cães examinados', 'animal', 'fauna', '{animais}', 'inteiro', 'mes', 'soma', 'soma', 0, null, 0, 0, 'Inquéritos caninos', 'Dados abertos'),
  ('lv_canina_reagentes', 'Leishmaniose visceral canina: reagentes', 'Cães reagentes', 'animal', 'fauna', '{animais}', 'inteiro', 'mes', 'soma', 'soma', 0, null, 0, 0, 'Inquéritos caninos', 'Dados abertos'),
  ('agua_fora_padrao', 'Água fora do padrão', 'Parte das amostras fora do padrão de potabilidade', 'ambiental', 'agua', '%', 'numero', 'mes', 'media', 'nenhuma', 0, 100, 2, 0, 'VIGIAGUA', 'Dados abertos')
) as catalogo (codigo, nome, descricao, dominio, tema, unidade, tipo_valor, periodo, agrega_tempo, agrega_lugar,
  minimo, maximo, casas, validade, fonte, licenca);

update series set limiares = '[{"codigo":"receptivo","rotulo":"Receptivo ao vetor","operador":"gte","valor":22,"semanas":3}]'
where codigo in ('temp_min', 'temp_min_sem');
update series set categorias = '[{"codigo":"satisfatorio","rotulo":"Satisfatório","ordem":1},{"codigo":"alerta","rotulo":"Alerta","ordem":2},{"codigo":"risco","rotulo":"Risco","ordem":3}]'
where codigo = 'liraa_classificacao';

insert into series (codigo, nome, descricao, dominio, tema, unidade, tipo_valor, periodo, nivel, agrega_tempo, agrega_lugar,
  casas, derivada, fonte, licenca, criado_em, atualizado_em)
values
  ('amplitude_termica', 'Amplitude térmica', 'Máxima menos mínima', 'ambiental', 'clima', 'Cel', 'numero', 'dia', 'municipio', 'media', 'media_populacao', 4,
   '{"tipo":"diferenca","minuendo":"temp_max","subtraendo":"temp_min"}', 'INMET, ERA5-Land', 'Dados abertos', now(), now()),
  ('lv_canina_positividade', 'Leishmaniose visceral canina: positividade', 'Reagentes em cada 100 examinados', 'animal', 'fauna', '%', 'numero', 'mes', 'municipio', 'soma', 'soma', 2,
   '{"tipo":"razao","numerador":"lv_canina_reagentes","denominador":"lv_canina_examinados","fator":100}', 'Inquéritos caninos', 'Dados abertos', now(), now());

-- Permissions of installations that exist; a new one is seeded with them.
insert into permissoes (nome, descricao, padrao)
select nome, descricao, true from (values
  ('series.listar', 'Ver séries ambientais e de animais'),
  ('series.importar', 'Importar valores de séries'),
  ('series.definir', 'Registrar e alterar séries')) as nova (nome, descricao)
where exists (select from permissoes)
on conflict do nothing;
insert into grupos_permissoes (grupo_id, permissao_id)
select g.id, p.id from grupos g, permissoes p
where g.padrao and p.nome = any(case g.nome
    when 'gestor' then array['series.listar', 'series.importar', 'series.definir']
    when 'analista' then array['series.listar', 'series.importar']
    when 'usuario' then array['series.listar']
    when 'visualizador' then array['series.listar']
    else array[]::text[] end)
on conflict do nothing;
