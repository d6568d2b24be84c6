-- Sessions end 90 days after their login; those of before get the same end.
update sessoes set expira_em = criado_em + interval '2160 hours' where expira_em > criado_em + interval '2160 hours';

-- Links by which owners undo what they did not ask for (src/domain/usuarios/nao-fui-eu.ts).
alter table tokens_de_email
  drop constraint tokens_de_email__tipo__known,
  add constraint tokens_de_email__tipo__known
    check (tipo in ('redefinir_senha', 'verificar_email', 'desfazer_email', 'desfazer_mfa'));

-- Addresses that an owner's own changes replaced: each can be set back by the link that was sent to it, for as long as the
-- link works.
create table emails_anteriores (
  usuario_id integer not null constraint emails_anteriores__usuario_id__exists references usuarios on delete cascade,
  email text not null,
  trocado_em timestamptz not null,
  constraint emails_anteriores__pk primary key (usuario_id, trocado_em)
);
