-- Few cases have a serotype, and it is in `dados`: statistics of a place and period find them here. As a key, so that the planner
-- expects a few of them.
create index casos__sorotipo on casos ((dados->>'sorotipo'), data_notificacao, municipio_residencia)
  where excluido_em is null and dados->>'sorotipo' is not null;
