-- Day on which a record was first typed in: with the onset it tells how late cases become known. Set once, never changed.
alter table casos add column data_digitacao date;
update casos set data_digitacao = (dados ->> 'data_digitacao')::date,
  dados = ((dados::jsonb) - 'data_digitacao')::json
where dados ->> 'data_digitacao' is not null;
-- Registered through the API: typed in on the day of creation.
update casos set data_digitacao = (criado_em at time zone 'America/Sao_Paulo')::date
where data_digitacao is null and criado_por_importacao is null;
