-- Invitations by mail, and groups whose members need a second factor.
alter table tokens_de_email drop constraint tokens_de_email__tipo__known;
alter table tokens_de_email add constraint tokens_de_email__tipo__known
  check (tipo in ('redefinir_senha', 'verificar_email', 'desfazer_email', 'desfazer_mfa', 'convite'));

alter table grupos add column exige_mfa boolean not null default false;

-- The second factor decides now what a session may do: its change is told like that of the password.
drop trigger usuarios_acesso_alterado on usuarios;
create trigger usuarios_acesso_alterado after update on usuarios
  for each row when (
    (old.nome, old.email, old.admin, old.desativado_em, old.plano, old.trocar_senha, old.mfa_ativado_em)
      is distinct from
    (new.nome, new.email, new.admin, new.desativado_em, new.plano, new.trocar_senha, new.mfa_ativado_em))
  execute function avisar_acesso_do_usuario('id');
