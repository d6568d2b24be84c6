-- Serotype as a column of its own, for the few cases that have one: statistics of a place and period count them from this index alone.
-- Looking for the word first saves parsing `dados` of nearly every row.
alter table casos add column sorotipo text generated always as
  (case when dados::text like '%"sorotipo"%' then dados ->> 'sorotipo' end) stored;
create index casos__sorotipo on casos (municipio_residencia, data_notificacao)
  include (sorotipo, estado_residencia, tipo_agravo, data_inicio_sintomas)
  where excluido_em is null and sorotipo is not null;
