-- What an account may do is remembered by each process of the service for a moment (src/domain/sessoes/callers.ts). Whatever
-- changes it says so on the channel `acessos`, with the account, or with nothing when it may be any of them.

create function avisar_acesso_do_usuario() returns trigger language plpgsql as $$
begin
  -- Of an account that is removed or of one that is left for another, the one that was.
  perform pg_notify('acessos', (to_jsonb(coalesce(old, new)) ->> tg_argv[0]));
  return null;
end $$;

create function avisar_acessos() returns trigger language plpgsql as $$
begin
  perform pg_notify('acessos', '');
  return null;
end $$;

create trigger usuarios_acesso after delete on usuarios
  for each row execute function avisar_acesso_do_usuario('id');
create trigger usuarios_acesso_alterado after update on usuarios
  for each row when (
    (old.nome, old.email, old.admin, old.desativado_em, old.plano, old.trocar_senha)
      is distinct from (new.nome, new.email, new.admin, new.desativado_em, new.plano, new.trocar_senha))
  execute function avisar_acesso_do_usuario('id');
create trigger sessoes_acesso after delete on sessoes
  for each row execute function avisar_acesso_do_usuario('usuario_id');
create trigger sessoes_acesso_encerrado after update on sessoes
  for each row when (
    (old.usuario_id, old.encerrada_em) is distinct from (new.usuario_id, new.encerrada_em)
    or new.expira_em < old.expira_em)
  execute function avisar_acesso_do_usuario('usuario_id');
create trigger usuarios_grupos_acesso after insert or update or delete on usuarios_grupos
  for each row execute function avisar_acesso_do_usuario('usuario_id');
create trigger usuarios_permissoes_acesso after insert or update or delete on usuarios_permissoes
  for each row execute function avisar_acesso_do_usuario('usuario_id');

create trigger grupos_acessos after update or delete on grupos
  for each statement execute function avisar_acessos();
create trigger grupos_permissoes_acessos after insert or update or delete on grupos_permissoes
  for each statement execute function avisar_acessos();
create trigger permissoes_acessos after update or delete on permissoes
  for each statement execute function avisar_acessos();
