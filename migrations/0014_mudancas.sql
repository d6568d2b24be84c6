-- The latest change of a disease in a state: `dados_ate` of the statistics. An import gives all its rows the same moment, so that
-- the index stays small and grows at its ends.
create index casos__mudancas on casos (estado_residencia, tipo_agravo, atualizado_em);
