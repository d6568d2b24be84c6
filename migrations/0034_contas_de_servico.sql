-- Service accounts: machines as clients. Rights and territory like any account, keys instead of a password.
alter table usuarios add column servico boolean not null default false;
-- A machine never holds everything.
alter table usuarios add constraint usuarios__admin__pessoal check (not (servico and admin));
create index usuarios__servico on usuarios (id) where servico;

-- Only the SHA-256 of a key is kept; 256 random bits need no slow hash. A replaced key lives until `expira_em`, which the
-- replacement shortens.
create table chaves_de_api (
  id uuid constraint chaves_de_api__pk primary key,
  usuario_id integer not null constraint chaves_de_api__usuario_id__exists references usuarios on delete cascade,
  nome text not null,
  -- First characters of the key, by which people tell keys apart.
  prefixo text not null,
  hash bytea not null constraint chaves_de_api__hash__unique unique,
  -- Names of permissions; those count that the account holds, too.
  escopos text[] not null,
  -- Addresses and CIDR ranges that may use it; none: all.
  redes text[] not null,
  criada_em timestamptz not null,
  criada_por_id integer constraint chaves_de_api__criada_por_id__exists references usuarios on delete set null,
  expira_em timestamptz not null,
  ultimo_uso_em timestamptz,
  ultimo_uso_ip inet,
  substituida_em timestamptz,
  revogada_em timestamptz
);
create index chaves_de_api__usuario_id on chaves_de_api (usuario_id);
create index chaves_de_api__criada_por_id on chaves_de_api (criada_por_id);

create trigger chaves_de_api_acesso after delete on chaves_de_api
  for each row execute function avisar_acesso_do_usuario('usuario_id');
create trigger chaves_de_api_acesso_alterado after update on chaves_de_api
  for each row when (
    (old.revogada_em, old.expira_em) is distinct from (new.revogada_em, new.expira_em))
  execute function avisar_acesso_do_usuario('usuario_id');

-- Nobody can sign in as a service account: it does not count as the administrator that must remain.
create or replace view administradores as
  select u.id from usuarios u
   where u.ativo and not u.servico and (u.admin or u.id in (
     select e.usuario_id from permissoes_efetivas e
      where e.permissao_id = (select p.id from permissoes p where p.nome = 'admin')));
