-- Few cases have a serotype, and it is read from `dados`: statistics of a place and period find them here.
create index casos__sorotipo on casos (data_notificacao, municipio_residencia)
  where excluido_em is null and dados->>'sorotipo' is not null;
