-- Each process of the service keeps what accounts can be looked for by (src/domain/usuarios/fichario/fichario.ts). Whatever changes it is
-- noted here with its transaction, so that each of them can ask what it has not seen yet. Only ids: nothing of what was.
create table usuarios_mudados (
  transacao xid8 not null default pg_current_xact_id(),
  usuario_id integer not null,
  momento timestamptz not null default clock_timestamp()
);
create index usuarios_mudados__transacao on usuarios_mudados (transacao);
create index usuarios_mudados__momento on usuarios_mudados (momento);

create function anotar_usuario_mudado() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'usuarios' then
    insert into usuarios_mudados (usuario_id) values (coalesce(new.id, old.id));
  else
    insert into usuarios_mudados (usuario_id) values (coalesce(new.usuario_id, old.usuario_id));
  end if;
  return null;
end $$;

create trigger usuarios_mudado after insert or delete on usuarios
  for each row execute function anotar_usuario_mudado();
create trigger usuarios_mudado_alterado after update on usuarios
  for each row when (
    (old.nome, old.email, old.cpf, old.estado, old.cidade, old.instituicao, old.cargo, old.departamento, old.admin,
     old.desativado_em, old.plano, old.email_verificado, old.mfa_ativado_em, old.criado_em, old.atualizado_em,
     old.ultimo_acesso)
      is distinct from
    (new.nome, new.email, new.cpf, new.estado, new.cidade, new.instituicao, new.cargo, new.departamento, new.admin,
     new.desativado_em, new.plano, new.email_verificado, new.mfa_ativado_em, new.criado_em, new.atualizado_em,
     new.ultimo_acesso))
  execute function anotar_usuario_mudado();
create trigger usuarios_grupos_mudado after insert or delete on usuarios_grupos
  for each row execute function anotar_usuario_mudado();
