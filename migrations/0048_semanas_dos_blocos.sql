-- Weeks of a block of days, made by its writers: reading them is a seventh of reading the days. They are of the revision beside them;
-- where it is another one, days are read, and `semanas` is made anew. Null with its revision: the series has no weeks made of days.
alter table series_blocos add column semanas bytea;
alter table series_blocos add column semanas_revisao integer;
-- Bytes of doubles do not get smaller.
alter table series_blocos alter column semanas set storage external;
create index series_blocos__sem_semanas on series_blocos (serie_id) where semanas_revisao is distinct from revisao;
