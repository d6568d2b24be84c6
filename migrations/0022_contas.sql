-- Lists of accounts are answered by the filter engine (src/db/where.ts) from the table itself.
drop trigger usuarios_mudado on usuarios;
drop trigger usuarios_mudado_alterado on usuarios;
drop trigger usuarios_grupos_mudado on usuarios_grupos;
drop function anotar_usuario_mudado();
drop table usuarios_mudados;

drop index usuarios__nome_trigramas, usuarios__email_trigramas, usuarios__cidade_trigramas, usuarios__estado_trigramas,
  usuarios__instituicao_trigramas, usuarios__nome, usuarios__email, usuarios__instituicao, usuarios__nome_busca,
  usuarios__email_busca, usuarios__cidade_busca, usuarios__estado_busca, usuarios__cargo_busca,
  usuarios__departamento_busca, usuarios__admin, usuarios__ativo, usuarios__plano, usuarios__email_verificado,
  usuarios__mfa_ativado_em, usuarios__criado_em, usuarios__atualizado_em;

-- Substring search from three characters on, in any of these columns; shorter texts and all orders scan the table, which at
-- 100,000 accounts stays within 150 ms.
create index usuarios__trigramas on usuarios using gin
  (nome_busca gin_trgm_ops, email_busca gin_trgm_ops, cidade_busca gin_trgm_ops, estado_busca gin_trgm_ops,
   instituicao_busca gin_trgm_ops, cargo_busca gin_trgm_ops, departamento_busca gin_trgm_ops);
