-- Who answers for a case is an account that exists. A foreign key asks for each row that is inserted, a fifth of what that costs
-- in an import; here each account is asked for once a statement, and held to its end like a foreign key holds it.
alter table casos drop constraint casos__responsavel_id__exists;

create function exigir_responsavel(id_do_usuario integer) returns void language plpgsql as $$
begin
  perform from usuarios where id = id_do_usuario for key share;
  if not found then
    raise foreign_key_violation using message = 'nobody has this id',
      constraint = 'casos__responsavel_id__exists', table = 'casos', column = 'responsavel_id';
  end if;
end $$;

create function exigir_responsaveis_insert() returns trigger language plpgsql as $$
begin
  perform exigir_responsavel(responsavel_id)
  from (select distinct responsavel_id from depois where responsavel_id is not null) d;
  return null;
end $$;

create function exigir_responsavel_update() returns trigger language plpgsql as $$
begin
  perform exigir_responsavel(new.responsavel_id);
  return null;
end $$;

create function esquecer_responsavel() returns trigger language plpgsql as $$
begin
  update casos set responsavel_id = null where responsavel_id = old.id;
  return null;
end $$;

create trigger casos_responsavel_insert after insert on casos
  referencing new table as depois for each statement execute function exigir_responsaveis_insert();
create trigger casos_responsavel_update after update on casos for each row
  when (new.responsavel_id is not null and new.responsavel_id is distinct from old.responsavel_id)
  execute function exigir_responsavel_update();
create trigger usuarios_responsavel after delete on usuarios for each row execute function esquecer_responsavel();
