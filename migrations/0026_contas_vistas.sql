-- A lock of the login knows its account, so that lists can tell who is locked. Without a foreign key: its check would make the lock of
-- an address with an account slower than that of one without.
alter table bloqueios_de_login add column usuario_id integer;
create index bloqueios_de_login__usuario on bloqueios_de_login (usuario_id) where usuario_id is not null;
