-- Serotypes of the country by week of onset: the index by municipality would be read as a whole. Few cases have one.
create index casos__sorotipo_sintomas on casos (data_inicio_sintomas) include (sorotipo, tipo_agravo, data_notificacao)
  where excluido_em is null and sorotipo is not null;
