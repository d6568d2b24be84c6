-- The holders of one permission are looked up once, not the permissions of each account.
create or replace view administradores as
  select u.id from usuarios u
   where u.ativo and (u.admin or u.id in (
     select e.usuario_id from permissoes_efetivas e
      where e.permissao_id = (select p.id from permissoes p where p.nome = 'admin')));
