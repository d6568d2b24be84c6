-- Merges of one account in a day: counted with each merge, to tell administrators of many.
create index fusoes__feita_por on fusoes (feita_por_id, feita_em);
