-- Persons have other keys: all cases wait to be compared anew, in the background.
insert into duplicidades_pendentes select id from casos where sigilo is not null and excluido_em is null;
