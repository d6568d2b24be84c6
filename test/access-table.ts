/**
 * Who may call what, written from the spec (1.2, 4.1 to 4.7, 4.9, 4.10, 4.12, 5), never from the code. `anyone`,
 * `logged in`, or the permission; `or self` where the caller's own id in the path is enough, `or` another permission that is. Paths are under /api/v1.
 */
export const ACCESS = `
  POST   /auth/login                                    anyone
  POST   /auth/refresh                                  anyone
  POST   /auth/logout                                   logged in
  POST   /auth/sessao                                   anyone
  DELETE /auth/sessao                                   logged in
  POST   /auth/forgot-password                          anyone
  POST   /auth/reset-password                           anyone
  POST   /auth/verificar-email                          anyone
  POST   /auth/nao-fui-eu                               anyone
  GET    /auth/oidc                                     anyone
  POST   /auth/oidc/segundo-fator                       anyone
  POST   /auth/change-password                          logged in
  POST   /auth/mfa/enable                               logged in
  POST   /auth/mfa/verify                               logged in
  POST   /auth/mfa/disable                              logged in
  POST   /auth/mfa/codigos                              logged in
  GET    /auth/sessions                                 logged in
  DELETE /auth/sessions/{session_id}                    logged in
  GET    /auth/security-metrics                         logged in

  POST   /usuarios/login                                anyone
  POST   /usuarios/login_sw                             anyone
  POST   /usuarios/refresh-token                        anyone
  POST   /usuarios/signup                               anyone
  POST   /usuarios/reset-password                       anyone
  POST   /usuarios/logout                               logged in
  GET    /usuarios/logado                               logged in
  GET    /usuarios/me                                   logged in
  PUT    /usuarios/me/preferencias                      logged in
  PATCH  /usuarios/me/preferencias                      logged in
  GET    /usuarios/me/identidades                       logged in
  DELETE /usuarios/me/identidades/{id}                  logged in
  GET    /usuarios/                                     logged in
  GET    /usuarios                                      logged in
  GET    /usuarios                                      usuarios.listar
  POST   /usuarios                                      usuarios.criar
  GET    /usuarios/{id}                                 logged in
  PUT    /usuarios/{id}                                 usuarios.editar or self
  PUT    /usuarios/{id}                                 usuarios.editar or self
  PATCH  /usuarios/{id}                                 usuarios.editar or self
  DELETE /usuarios/{id}                                 usuarios.deletar
  DELETE /usuarios/{id}                                 usuarios.deletar
  POST   /usuarios/{id}/desativar                       usuarios.deletar
  POST   /usuarios/{id}/reativar                        usuarios.editar
  POST   /usuarios/{id}/foto-perfil                     usuarios.editar or self
  GET    /usuarios/{id}/foto                            logged in
  POST   /usuarios/{id}/grupos/{grupo_id}               usuarios.gerenciar_grupos
  DELETE /usuarios/{id}/grupos/{grupo_id}               usuarios.gerenciar_grupos
  PUT    /usuarios/{id}/grupos                          usuarios.gerenciar_grupos
  PATCH  /usuarios/{id}/grupos                          usuarios.gerenciar_grupos
  POST   /usuarios/{id}/permissoes/{permissao_id}       usuarios.gerenciar_permissoes
  DELETE /usuarios/{id}/permissoes/{permissao_id}       usuarios.gerenciar_permissoes
  GET    /usuarios/{id}/permissoes                      usuarios.listar or self
  GET    /usuarios/{id}/territorios                     usuarios.listar or self
  PUT    /usuarios/{id}/territorios                     usuarios.gerenciar_permissoes
  PATCH  /usuarios/{id}/territorios                     usuarios.gerenciar_permissoes
  GET    /usuarios/estatisticas                         usuarios.listar
  POST   /usuarios/buscar                               usuarios.listar
  POST   /usuarios/exportar                             usuarios.exportar
  POST   /usuarios/{id}/alterar-senha                   usuarios.editar
  POST   /usuarios/{id}/desbloquear                     usuarios.editar
  POST   /usuarios/{id}/convite                         usuarios.editar
  DELETE /usuarios/{id}/mfa                             usuarios.editar
  DELETE /usuarios/{id}/sessoes                         usuarios.editar
  GET    /usuarios/{id}/identidades                     usuarios.editar
  DELETE /usuarios/{id}/identidades/{identidade_id}     usuarios.editar

  GET    /contas-de-servico                             chaves.gerenciar
  POST   /contas-de-servico                             chaves.gerenciar
  GET    /contas-de-servico/{id}                        chaves.gerenciar
  POST   /contas-de-servico/{id}/chaves                 chaves.gerenciar
  POST   /contas-de-servico/{id}/chaves/{chave_id}/renovar chaves.gerenciar
  DELETE /contas-de-servico/{id}/chaves/{chave_id}      chaves.gerenciar

  GET    /auditoria                                     auditoria.ver
  POST   /auditoria/verificar                           admin
  POST   /auditoria/exportar                            auditoria.ver
  GET    /sistema                                       admin
  GET    /visoes                                        logged in
  POST   /visoes                                        logged in
  DELETE /visoes/{id}                                   logged in
  GET    /.well-known/jwks.json                         anyone

  GET    /permissoes/                                   logged in
  GET    /permissoes                                    logged in
  POST   /permissoes                                    usuarios.gerenciar_permissoes
  PUT    /permissoes/{id}                               usuarios.gerenciar_permissoes
  DELETE /permissoes/{id}                               usuarios.gerenciar_permissoes

  GET    /grupos                                        grupos.listar
  POST   /grupos                                        grupos.criar
  GET    /grupos/{id}                                   grupos.listar
  PUT    /grupos/{id}                                   grupos.editar
  PATCH  /grupos/{id}                                   grupos.editar
  DELETE /grupos/{id}                                   grupos.deletar
  POST   /grupos/{grupo_id}/usuarios/{usuario_id}       usuarios.gerenciar_permissoes
  DELETE /grupos/{grupo_id}/usuarios/{usuario_id}       usuarios.gerenciar_permissoes
  GET    /grupos/{grupo_id}/usuarios                    grupos.listar
  PUT    /grupos/{id}/permissoes                        grupos.editar
  PATCH  /grupos/{id}/permissoes                        grupos.editar
  POST   /grupos/{id}/permissoes/{permissao_id}         grupos.editar
  DELETE /grupos/{id}/permissoes/{permissao_id}         grupos.editar

  GET    /noticias                                      noticias.listar
  POST   /noticias                                      noticias.criar
  GET    /noticias/{id}                                 noticias.listar
  PUT    /noticias/{id}                                 noticias.editar
  PATCH  /noticias/{id}                                 noticias.editar
  DELETE /noticias/{id}                                 noticias.deletar

  GET    /agravos/tipos                                 agravos.listar
  POST   /agravos/tipos                                 agravos.definir
  GET    /agravos/tipos/modelos                         agravos.definir
  GET    /agravos/tipos/modelos/{codigo}                agravos.definir
  GET    /agravos/tipos/{codigo}                        agravos.listar
  PUT    /agravos/tipos/{codigo}                        agravos.definir
  PATCH  /agravos/tipos/{codigo}                        agravos.definir
  DELETE /agravos/tipos/{codigo}                        agravos.definir
  GET    /agravos/tipos/{codigo}/formulario             agravos.listar
  GET    /agravos/tipos/{codigo}/esquema                agravos.listar
  GET    /agravos/tipos/{codigo}/versoes                agravos.listar
  POST   /agravos/tipos/{codigo}/ativar                 agravos.definir
  POST   /agravos/tipos/{codigo}/desativar              agravos.definir
  GET    /agravos/casos/estatisticas/frequencias        agravos.estatisticas
  GET    /agravos/casos                                 agravos.listar
  POST   /agravos/casos                                 agravos.criar
  GET    /agravos/casos/excluidos                       agravos.deletar
  GET    /agravos/casos/{id}                            agravos.listar
  PUT    /agravos/casos/{id}                            agravos.editar
  PATCH  /agravos/casos/{id}                            agravos.editar
  DELETE /agravos/casos/{id}                            agravos.deletar
  POST   /agravos/casos/{id}/restaurar                  agravos.deletar
  GET    /agravos/casos/{id}/historico                  agravos.listar
  GET    /agravos/casos/{id}/acessos                    auditoria.ver or agravos.editar
  GET    /agravos/casos/estatisticas/resumo             agravos.estatisticas
  GET    /agravos/casos/estatisticas/curva              agravos.estatisticas
  GET    /agravos/casos/estatisticas/diagrama-controle  agravos.estatisticas
  GET    /agravos/casos/estatisticas/indicadores        agravos.estatisticas
  GET    /agravos/casos/estatisticas/rt                 agravos.estatisticas
  GET    /agravos/casos/estatisticas/nowcast            agravos.estatisticas
  GET    /agravos/casos/estatisticas/atrasos            agravos.estatisticas
  GET    /agravos/casos/mapa-calor                      agravos.estatisticas
  GET    /agravos/casos/qualidade                       agravos.estatisticas
  GET    /agravos/casos/qualidade/pendencias            agravos.listar
  GET    /agravos/casos/qualidade/pendencias/resumo     agravos.listar
  GET    /agravos/alertas                               agravos.estatisticas
  GET    /agravos/alertas/situacao                      agravos.estatisticas
  GET    /agravos/alertas/regras                        admin
  PUT    /agravos/alertas/regras                        admin
  PATCH  /agravos/alertas/regras                        admin
  GET    /agravos/alertas/{id}                          agravos.estatisticas
  POST   /agravos/alertas/{id}/reconhecer               agravos.estatisticas
  POST   /agravos/boletins                              relatorios.gerar
  GET    /agravos/boletins                              relatorios.gerar
  GET    /agravos/agendas                      relatorios.gerar
  POST   /agravos/agendas                      relatorios.gerar
  GET    /agravos/agendas/{id}                 relatorios.gerar
  PUT    /agravos/agendas/{id}                 relatorios.gerar
  PATCH  /agravos/agendas/{id}                 relatorios.gerar
  DELETE /agravos/agendas/{id}                 relatorios.gerar
  GET    /agravos/boletins/{id}                         relatorios.gerar
  GET    /agravos/boletins/{id}/arquivo                 relatorios.exportar
  DELETE /agravos/boletins/{id}                         relatorios.gerar
  GET    /agravos/duplicidades                          agravos.duplicidades
  POST   /agravos/duplicidades/varredura                agravos.duplicidades
  GET    /agravos/duplicidades/qualidade                agravos.duplicidades
  POST   /agravos/duplicidades/{id}/decidir             agravos.duplicidades
  GET    /agravos/casos/{id}/duplicidades               agravos.duplicidades
  POST   /agravos/casos/{id}/fundir                     agravos.duplicidades
  GET    /agravos/fusoes                                agravos.duplicidades
  POST   /agravos/fusoes/{id}/desfazer                  agravos.duplicidades
  POST   /agravos/pessoas/buscar                        agravos.identificar
  GET    /agravos/pessoas/relatorio                     agravos.identificar
  GET    /agravos/panorama                              agravos.panorama
  GET    /agravos/casos/painel                          agravos.estatisticas
  GET    /agravos/casos/painel/partes                   agravos.estatisticas
  GET    /agravos/casos/facetas                         agravos.estatisticas
  POST   /agravos/casos/{id}/anexos                     agravos.editar
  GET    /agravos/casos/{id}/anexos                     agravos.listar
  GET    /agravos/casos/{id}/anexos/{anexo_id}          logged in
  DELETE /agravos/casos/{id}/anexos/{anexo_id}          agravos.editar
  POST   /agravos/casos/verificar                       agravos.criar
  POST   /agravos/casos/bulk                            agravos.importar
  GET    /agravos/importacoes                           agravos.importar
  GET    /agravos/importacoes/{id}                      agravos.importar
  POST   /agravos/importacoes/{id}/desfazer             agravos.importar
  POST   /agravos/casos/exportar                        agravos.exportar
  POST   /agravos/casos/extratos                        agravos.extrair

  GET    /series                                        series.listar
  POST   /series                                        series.definir
  GET    /series/painel                                 series.listar
  POST   /series/bulk                                   series.importar
  GET    /series/importacoes                            series.importar
  GET    /series/importacoes/{id}                       series.importar
  POST   /series/importacoes/{id}/desfazer              series.importar
  GET    /series/{codigo}                               series.listar
  PUT    /series/{codigo}                               series.definir
  PATCH  /series/{codigo}                               series.definir
  DELETE /series/{codigo}                               series.definir
  GET    /series/{codigo}/valores                       series.listar
  PUT    /series/{codigo}/valores                       series.importar
  GET    /series/{codigo}/lugares                       series.listar
  GET    /series/{codigo}/revisoes                      series.listar
  GET    /series/{codigo}/correlacao                    series.listar
  GET    /epizootias                                    epizootias.listar
  POST   /epizootias                                    epizootias.registrar
  GET    /epizootias/excluidas                          epizootias.deletar
  POST   /epizootias/exportar                           epizootias.listar
  GET    /epizootias/estatisticas                       epizootias.listar
  GET    /epizootias/mapa                               epizootias.listar
  GET    /epizootias/proximas                           epizootias.listar
  GET    /epizootias/valores                            epizootias.listar
  POST   /epizootias/valores                            series.definir
  DELETE /epizootias/valores/{campo}/{codigo}           series.definir
  POST   /epizootias/bulk                               epizootias.registrar
  GET    /epizootias/importacoes                        epizootias.registrar
  GET    /epizootias/importacoes/{id}                   epizootias.registrar
  POST   /epizootias/importacoes/{id}/desfazer          epizootias.registrar
  GET    /epizootias/{id}                               epizootias.listar
  PUT    /epizootias/{id}                               epizootias.registrar
  PATCH  /epizootias/{id}                               epizootias.registrar
  DELETE /epizootias/{id}                               epizootias.deletar
  POST   /epizootias/{id}/restaurar                     epizootias.deletar
  GET    /epizootias/{id}/historico                     epizootias.listar

  GET    /rascunhos                                     agravos.criar or agravos.editar or epizootias.registrar
  PUT    /rascunhos/{uuid}                              agravos.criar or agravos.editar or epizootias.registrar
  GET    /rascunhos/{uuid}                              agravos.criar or agravos.editar or epizootias.registrar
  DELETE /rascunhos/{uuid}                              agravos.criar or agravos.editar or epizootias.registrar

  GET    /territorios                                   logged in
  GET    /agravos/regioes-saude                         agravos.estatisticas
  GET    /agravos/populacao                             agravos.estatisticas

  GET    /jobs                                          logged in
  GET    /jobs/{job_id}                                 logged in
  DELETE /jobs/{job_id}                                 logged in
  GET    /jobs/{job_id}/eventos                         logged in
  GET    /jobs/{job_id}/arquivo                         logged in
  GET    /jobs/{job_id}/rejeitados                      logged in

  POST   /webhooks                                      agravos.listar
  GET    /webhooks                                      logged in
  GET    /webhooks/eventos                              logged in
  GET    /webhooks/{id}                                 logged in
  PUT    /webhooks/{id}                                 logged in
  PATCH  /webhooks/{id}                                 logged in
  DELETE /webhooks/{id}                                 logged in
  POST   /webhooks/{id}/pausar                          logged in
  POST   /webhooks/{id}/retomar                         logged in
  POST   /webhooks/{id}/segredo                         logged in
  GET    /webhooks/{id}/entregas                        logged in
  GET    /webhooks/{id}/entregas/{entrega_id}           logged in
  POST   /webhooks/{id}/entregas/{entrega_id}/reenviar  logged in
  POST   /webhooks/{id}/reenviar                        logged in
  POST   /webhooks/{id}/testar                          logged in
  GET    /eventos                                       logged in
  GET    /eventos/aovivo                                logged in

  GET    /notificacoes                                  logged in
  PUT    /notificacoes/lidas                            logged in
  PATCH  /notificacoes/lidas                            logged in

  GET    /publico/agravos/curva                         anyone
  GET    /publico/agravos/indicadores                   anyone
  GET    /publico/agravos/alertas                       anyone
  GET    /publico/series                                anyone
  GET    /publico/series/{codigo}/valores               anyone
  GET    /publico/epizootias/estatisticas               anyone

  GET    /health                                        anyone
  GET    /health/detailed                               anyone
  GET    /openapi.json                                  anyone
`
