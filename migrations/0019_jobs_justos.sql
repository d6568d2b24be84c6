alter table jobs
  -- Permissions the owner must hold when the job begins, when it stores and when its file is downloaded.
  add column permissoes text[] not null default '{}',
  -- Key and parameters of `message`, for the other languages; null for jobs of an earlier version.
  add column mensagem jsonb,
  -- The last time a worker took it: turns go by account.
  add column iniciado_em timestamptz;

update jobs j set permissoes = case j.tipo
  when 'importacao' then array['agravos.importar']
  when 'desfazer_importacao' then
    case when exists (select from importacoes i
      where i.id = (j.parametros ->> 'importacao_id')::integer and i.usuario_id is distinct from j.usuario_id)
    then array['agravos.importar', 'agravos.deletar'] else array['agravos.importar'] end
  when 'exportacao_casos' then
    case when (j.parametros ->> 'identificado')::boolean
    then array['agravos.exportar', 'agravos.identificar'] else array['agravos.exportar'] end
  when 'exportacao_usuarios' then array['usuarios.exportar']
  else '{}' end;

create index jobs__turno on jobs (usuario_id, iniciado_em desc) where iniciado_em is not null;
